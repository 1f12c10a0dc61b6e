//! sled.rs: stands in for the crate sled: what engines/rust/sled calls of it.

mod note;
use note::{bounds, call, note, text, KEY, VALUE};
use std::ops::RangeBounds;
use std::path::PathBuf;

pub type Result<T> = std::io::Result<T>;
pub type IVec = Vec<u8>;

pub struct Config;

impl Config {
    pub fn new() -> Config {
        Config
    }
    pub fn path(self, path: PathBuf) -> Config {
        // a directory is made, as whether it is there decides what an open does
        std::fs::create_dir_all(&path).unwrap();
        note(&format!("path {}", path.display()));
        self
    }
    pub fn cache_capacity(self, bytes: u64) -> Config {
        note(&format!("cache_capacity {bytes}"));
        self
    }
    pub fn flush_every_ms(self, every: Option<u64>) -> Config {
        note(&format!("flush_every_ms {every:?}"));
        self
    }
    pub fn open(&self) -> Result<Db> {
        call("open", "").map(|()| Db)
    }
}

pub struct Db;

impl Db {
    pub fn flush(&self) -> Result<usize> {
        call("flush", "").map(|()| 1)
    }
    pub fn was_recovered(&self) -> bool {
        note("was_recovered");
        true
    }
    pub fn size_on_disk(&self) -> Result<u64> {
        call("size_on_disk", "").map(|()| 1007)
    }
    pub fn insert(&self, key: &[u8], value: &[u8]) -> Result<Option<IVec>> {
        call("insert", &format!("{}, {}", text(key), text(value))).map(|()| None)
    }
    /// --fail=missing:1: there is no record
    pub fn remove(&self, key: &[u8]) -> Result<Option<IVec>> {
        call("remove", &text(key))?;
        Ok(call("missing", "").ok().map(|()| VALUE.to_vec()))
    }
    pub fn get(&self, key: &[u8]) -> Result<Option<IVec>> {
        call("get", &text(key))?;
        Ok(call("missing", "").ok().map(|()| VALUE.to_vec()))
    }
    pub fn range<K: AsRef<[u8]>, R: RangeBounds<K>>(&self, range: R) -> Iter {
        note(&format!("range {}", bounds(&range)));
        Iter
    }
    pub fn iter(&self) -> Iter {
        note("iter");
        Iter
    }
    pub fn apply_batch(&self, batch: Batch) -> Result<()> {
        call("apply_batch", &batch.0.join("; "))
    }
}

#[derive(Default)]
pub struct Batch(Vec<String>);

impl Batch {
    pub fn insert(&mut self, key: &[u8], value: &[u8]) {
        self.0.push(format!("insert {}, {}", text(key), text(value)));
    }
    pub fn remove(&mut self, key: &[u8]) {
        self.0.push(format!("remove {}", text(key)));
    }
}

pub struct Iter;

impl Iterator for Iter {
    type Item = Result<(IVec, IVec)>;
    fn next(&mut self) -> Option<Self::Item> {
        Some(call("next", "").map(|()| (KEY.to_vec(), VALUE.to_vec())))
    }
}

impl DoubleEndedIterator for Iter {
    fn next_back(&mut self) -> Option<Self::Item> {
        Some(call("next_back", "").map(|()| (KEY.to_vec(), VALUE.to_vec())))
    }
}

impl Drop for Iter {
    fn drop(&mut self) {
        note("end of the scan");
    }
}
