//! The contract of engines/engine.h for engines in Rust.
//!
//! An engine implements `Store` and `Session`; `export!` makes of them the functions that
//! engines/rust_common.h declares, which `const struct engine` points at: a call costs what a
//! call of C costs. Only slices, the status, the session's two pointers and a flat struct of
//! settings are mirrored here.

use std::ffi::{c_char, c_void, CStr, CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// `struct slice`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Slice {
    data: *const u8,
    size: usize,
}

impl Slice {
    pub fn of(bytes: &[u8]) -> Slice {
        Slice { data: bytes.as_ptr(), size: bytes.len() }
    }

    /// None: the slice has no data, as the beginning of a scan of everything.
    ///
    /// # Safety
    /// The bytes belong to the caller and last for this call.
    pub unsafe fn bytes<'a>(self) -> Option<&'a [u8]> {
        (!self.data.is_null()).then(|| std::slice::from_raw_parts(self.data, self.size))
    }
}

/// `enum status`.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Done,
    NotFound,
    Conflict,
    Full,
    Unsupported,
    Failed,
}

/// `enum durability`.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    None,
    Async,
    Sync,
    Unsupported,
}

pub const OPTIONS: usize = 4;

/// `struct rust_settings`.
#[repr(C)]
pub struct Settings {
    size: usize, // of this struct, which another version of the program may have otherwise
    path: *const c_char,
    pub cache_bytes: u64,
    pub write_buffer_bytes: u64,
    pub options: [u64; OPTIONS], // the engine's own, in the order of its C file
    pub durability: Durability,
    pub create: bool,
    pub lz4: bool,
}

impl Settings {
    pub fn path(&self) -> &Path {
        // SAFETY: a path of the settings of C
        Path::new(OsStr::from_bytes(unsafe { CStr::from_ptr(self.path) }.to_bytes()))
    }
}

/// Why a call failed, in the engine's words.
pub struct Failure {
    status: Status,
    text: String,
}

/// The sources too, as some errors keep the system's words there. No room on the device is
/// known by its number, which every crate passes on as text.
impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            let words = inner.to_string();
            if !text.contains(&words) {
                text = format!("{text}: {words}");
            }
            source = inner.source();
        }
        Failure { status: status_of(&text), text }
    }
}

fn status_of(text: &str) -> Status {
    let numbers = ["code: 28", "code: 122", "os error 28", "os error 122"]; // ENOSPC, EDQUOT
    if numbers.iter().any(|number| text.contains(number)) {
        Status::Full
    } else {
        Status::Failed
    }
}

pub fn failure(text: &str) -> Failure {
    Failure { status: Status::Failed, text: text.to_string() }
}

pub type Answer<T = ()> = Result<T, Failure>;
/// Key and value, valid until the session's next call.
pub type Record<'a> = Option<(&'a [u8], &'a [u8])>;

/// An open database.
pub trait Store: Sized + 'static {
    type Session: Session;

    fn open(settings: &Settings) -> Answer<Self>;
    fn close(self) -> Answer;
    /// The store outlives the session.
    fn attach(&'static self) -> Answer<Self::Session>;
    fn settle(&mut self) -> Answer {
        Ok(())
    }
    fn compact(&mut self) -> Answer {
        Ok(())
    }
    /// Work that is pending, None: of unknown amount; and a number that changes with it.
    fn pending(&self) -> (Option<u64>, u64) {
        (Some(0), 0)
    }
    /// What the engine reports of its settings, and what of its state.
    fn describe(&self, _report: &mut dyn FnMut(&str, u64)) {}
    fn statistics(&self, _report: &mut dyn FnMut(&str, u64)) -> Answer {
        Ok(())
    }
}

/// One thread's part of it.
pub trait Session {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Answer;
    /// Whether the record existed, or true if that is not known.
    fn del(&mut self, key: &[u8]) -> Answer<bool>;
    fn get(&mut self, key: &[u8]) -> Answer<Option<&[u8]>>;
    fn seek(&mut self, from: Option<&[u8]>) -> Answer<Record<'_>>;
    fn last(&mut self) -> Answer<Record<'_>>;
    fn next(&mut self) -> Answer<Record<'_>>;
    fn prev(&mut self) -> Answer<Record<'_>>;
    fn snapshot(&mut self) -> Answer {
        Err(Failure { status: Status::Unsupported, text: "no snapshots".to_string() })
    }
    fn release(&mut self);
    fn begin(&mut self) -> Answer;
    fn commit(&mut self) -> Answer;
    fn rollback(&mut self);
}

/// `struct session`: zeroed by the core, filled by attach.
#[repr(C)]
pub struct Handle<S> {
    why: *mut c_char,
    session: *mut S,
}

impl<S> Handle<S> {
    /// # Safety
    /// Between attach and detach, by one thread.
    pub unsafe fn session<'a>(&self) -> &'a mut S {
        &mut *self.session
    }

    pub fn answer<T>(&self, answer: Answer<T>, done: impl FnOnce(T) -> Status) -> Status {
        match answer {
            Ok(value) => done(value),
            Err(failure) => failed(failure, self.why),
        }
    }

    /// # Safety
    /// The slices are the caller's.
    pub unsafe fn record(&self, answer: Answer<Record>, key: *mut Slice, value: *mut Slice) -> Status {
        self.answer(answer, |record| match record {
            Some((k, v)) => {
                *key = Slice::of(k);
                *value = Slice::of(v);
                Status::Done
            }
            None => Status::NotFound,
        })
    }
}

const ERROR_SIZE: usize = 256; // ENGINE_ERROR_SIZE

/// The words into a buffer of C, in one line.
#[cold]
fn failed(failure: Failure, why: *mut c_char) -> Status {
    let mut text: Vec<u8> = failure.text.bytes().take(ERROR_SIZE - 1).collect();
    for byte in &mut text {
        if *byte < b' ' {
            *byte = b' ';
        }
    }
    text.push(0);
    // SAFETY: a buffer of ENGINE_ERROR_SIZE bytes
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), why as *mut u8, text.len()) };
    failure.status
}

pub fn status(answer: Answer, why: *mut c_char) -> Status {
    match answer {
        Ok(()) => Status::Done,
        Err(failure) => failed(failure, why),
    }
}

/// # Safety
/// Pointers of the contract.
pub unsafe fn open<T: Store>(settings: &Settings, store: *mut *mut T, why: *mut c_char) -> Status {
    if settings.size != size_of::<Settings>() {
        let text = "the library is that of another version of this program; build both again";
        return failed(failure(text), why);
    }
    status(T::open(settings).map(|opened| *store = Box::into_raw(Box::new(opened))), why)
}

/// # Safety
/// Pointers of the contract.
pub unsafe fn attach<T: Store>(h: &mut Handle<T::Session>, store: &'static T, why: *mut c_char) -> Status {
    h.why = why;
    status(store.attach().map(|session| h.session = Box::into_raw(Box::new(session))), why)
}

/// # Safety
/// The last call of a session, which need not have been attached.
pub unsafe fn detach<S>(h: &mut Handle<S>) {
    if !h.session.is_null() {
        drop(Box::from_raw(h.session));
        h.session = std::ptr::null_mut();
    }
}

/// Reports by a function of C, which copies the name.
pub type Reporter = unsafe extern "C" fn(*mut c_void, *const c_char, u64);

pub fn reporter(report: Reporter, to: *mut c_void) -> impl FnMut(&str, u64) {
    move |name, value| {
        if let Ok(name) = CString::new(name) {
            // SAFETY: the caller's function and its argument
            unsafe { report(to, name.as_ptr(), value) }
        }
    }
}

/// The version of a crate as its Cargo.lock says, which is in the library.
pub fn locked_version(lock: &'static str, name: &str) -> CString {
    let package = format!("name = \"{name}\"\nversion = \"");
    let version = lock.split(package.as_str()).nth(1).and_then(|rest| rest.split('"').next());
    CString::new(version.unwrap_or("unknown")).unwrap_or_default()
}

/// Exports a store of the crate `$name`, whose Cargo.lock is `$lock`.
#[macro_export]
macro_rules! export {
    ($store:ty, $name:literal, $lock:expr) => {
        use std::ffi::{c_char, c_void};
        use $crate::{Handle, Reporter, Session as _, Slice, Status, Store as _};
        type H = Handle<<$store as $crate::Store>::Session>;

        #[no_mangle]
        unsafe extern "C" fn rust_put(h: &H, key: Slice, value: Slice) -> Status {
            let value = value.bytes().unwrap_or_default();
            h.answer(h.session().put(key.bytes().unwrap_or_default(), value), |()| Status::Done)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_del(h: &H, key: Slice) -> Status {
            let answer = h.session().del(key.bytes().unwrap_or_default());
            h.answer(answer, |was| if was { Status::Done } else { Status::NotFound })
        }
        #[no_mangle]
        unsafe extern "C" fn rust_get(h: &H, key: Slice, value: &mut Slice) -> Status {
            let answer = h.session().get(key.bytes().unwrap_or_default());
            h.answer(answer, |found| match found {
                Some(bytes) => {
                    *value = Slice::of(bytes);
                    Status::Done
                }
                None => Status::NotFound,
            })
        }
        #[no_mangle]
        unsafe extern "C" fn rust_seek(h: &H, from: Slice, k: *mut Slice, v: *mut Slice) -> Status {
            h.record(h.session().seek(from.bytes()), k, v)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_last(h: &H, k: *mut Slice, v: *mut Slice) -> Status {
            h.record(h.session().last(), k, v)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_next(h: &H, k: *mut Slice, v: *mut Slice) -> Status {
            h.record(h.session().next(), k, v)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_prev(h: &H, k: *mut Slice, v: *mut Slice) -> Status {
            h.record(h.session().prev(), k, v)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_snapshot(h: &H) -> Status {
            h.answer(h.session().snapshot(), |()| Status::Done)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_release(h: &H) {
            h.session().release()
        }
        #[no_mangle]
        unsafe extern "C" fn rust_begin(h: &H) -> Status {
            h.answer(h.session().begin(), |()| Status::Done)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_commit(h: &H) -> Status {
            h.answer(h.session().commit(), |()| Status::Done)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_rollback(h: &H) {
            h.session().rollback()
        }
        #[no_mangle]
        unsafe extern "C" fn rust_version() -> *const c_char {
            static VERSION: std::sync::OnceLock<std::ffi::CString> = std::sync::OnceLock::new();
            VERSION.get_or_init(|| $crate::locked_version($lock, $name)).as_ptr()
        }
        #[no_mangle]
        unsafe extern "C" fn rust_open(
            settings: &$crate::Settings, store: *mut *mut $store, why: *mut c_char,
        ) -> Status {
            $crate::open(settings, store, why)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_close(store: *mut $store, why: *mut c_char) -> Status {
            let store: Box<$store> = Box::from_raw(store);
            $crate::status(store.close(), why)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_attach(h: &mut H, store: &'static $store, why: *mut c_char) -> Status {
            $crate::attach(h, store, why)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_detach(h: &mut H) {
            $crate::detach(h)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_settle(store: &mut $store, why: *mut c_char) -> Status {
            $crate::status(store.settle(), why)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_compact(store: &mut $store, why: *mut c_char) -> Status {
            $crate::status(store.compact(), why)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_pending(store: &$store, progress: &mut u64) -> u64 {
            let (work, changes) = store.pending();
            *progress = changes;
            work.unwrap_or(u64::MAX)
        }
        #[no_mangle]
        unsafe extern "C" fn rust_describe(store: &$store, report: Reporter, to: *mut c_void) {
            store.describe(&mut $crate::reporter(report, to))
        }
        #[no_mangle]
        unsafe extern "C" fn rust_statistics(store: &$store, report: Reporter, to: *mut c_void) {
            // what cannot be had is not reported
            let _ = store.statistics(&mut $crate::reporter(report, to));
        }
    };
}
