//! note.rs: for crates that stand in for engines (stand_in.h): each call of theirs prints a line,
//! and succeeds, or fails with the number of the system's error that --fail has for it.

use std::ffi::{c_char, c_int, CStr, CString};
use std::io::{Error, Result};
use std::ops::{Bound, RangeBounds};

extern "C" {
    fn stand_in(name: *const c_char) -> c_int;
    fn stand_in_note(format: *const c_char, ...);
}

/// The record that every read finds.
pub const KEY: &[u8] = b"0000000000000001";
pub const VALUE: &[u8] = b"the value that is always found";

pub fn note(line: &str) {
    let (format, line) = (c"%s", CString::new(line).unwrap());
    unsafe { stand_in_note(CStr::as_ptr(format), line.as_ptr()) }
}

/// The system's error inside one of several lines, which is too long from TOO_LONG on.
const INSIDE: c_int = 10000;
const TOO_LONG: c_int = 20000;

#[derive(Debug)]
struct Outer(String, Error);

impl std::fmt::Display for Outer {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Outer {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.1)
    }
}

fn failure(name: &str, error: c_int) -> Error {
    let on = if error < TOO_LONG { 0 } else { 30 };
    let text = format!("{name} failed\nthen{}", " and so on".repeat(on));
    match error {
        INSIDE.. => Error::other(Outer(text, Error::from_raw_os_error(error % INSIDE))),
        _ => Error::from_raw_os_error(error),
    }
}

/// A call by this name.
pub fn call(name: &str, arguments: &str) -> Result<()> {
    note(&format!("{name}({arguments})"));
    match unsafe { stand_in(CString::new(name).unwrap().as_ptr()) } {
        0 => Ok(()),
        error => Err(failure(name, error)),
    }
}

/// A key, or how long a value is.
pub fn text(bytes: &[u8]) -> String {
    match bytes.len() {
        16 => String::from_utf8_lossy(bytes).to_string(),
        size => format!("{size} bytes"),
    }
}

pub fn bounds<K: AsRef<[u8]>>(range: &impl RangeBounds<K>) -> String {
    let side = |bound: Bound<&K>| match bound {
        Bound::Included(key) => format!("with {}", text(key.as_ref())),
        Bound::Excluded(key) => format!("without {}", text(key.as_ref())),
        Bound::Unbounded => "unbounded".to_string(),
    };
    format!("from {}, to {}", side(range.start_bound()), side(range.end_bound()))
}
