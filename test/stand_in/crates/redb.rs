//! redb.rs: stands in for the crate redb 4, and without the feature since3 for redb 2:
//! what engines/rust/redb calls of it.

mod note;
use note::{bounds, call, note, text, KEY, VALUE};
use std::fmt::Debug;
use std::fs::File;
use std::marker::PhantomData;
use std::ops::{Bound, RangeBounds};
use std::sync::Arc;

pub type StorageError = std::io::Error;
pub type BackendError = std::io::Error;
pub type Result<T = (), E = std::io::Error> = std::result::Result<T, E>;

#[derive(Debug)]
pub enum Durability {
    None,
    Immediate,
}

pub trait StorageBackend: 'static + Debug + Send + Sync {
    fn len(&self) -> Result<u64>;
    #[cfg(feature = "since3")]
    fn read(&self, offset: u64, out: &mut [u8]) -> Result;
    #[cfg(not(feature = "since3"))]
    fn read(&self, offset: u64, len: usize) -> Result<Vec<u8>>;
    fn set_len(&self, len: u64) -> Result;
    #[cfg(feature = "since3")]
    fn sync_data(&self) -> Result;
    #[cfg(not(feature = "since3"))]
    fn sync_data(&self, eventual: bool) -> Result;
    fn write(&self, offset: u64, data: &[u8]) -> Result;
    #[cfg(feature = "since3")]
    fn close(&self) -> Result;
    #[cfg(feature = "since3")]
    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool>;
    #[cfg(feature = "since3")]
    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result;
}

pub mod backends {
    use super::*;

    #[derive(Debug)]
    pub struct FileBackend;

    impl FileBackend {
        pub fn new(_: File) -> Result<FileBackend> {
            call("file", "").map(|()| FileBackend)
        }
    }

    /// What its owner makes of each: the lock, too, has to reach the file.
    impl StorageBackend for FileBackend {
        fn len(&self) -> Result<u64> {
            call("len", "").map(|()| 1008)
        }
        #[cfg(feature = "since3")]
        fn read(&self, offset: u64, out: &mut [u8]) -> Result {
            call("read", &format!("{offset}, {} bytes", out.len()))
        }
        #[cfg(not(feature = "since3"))]
        fn read(&self, offset: u64, len: usize) -> Result<Vec<u8>> {
            call("read", &format!("{offset}, {len} bytes")).map(|()| vec![0; len])
        }
        fn set_len(&self, len: u64) -> Result {
            call("set_len", &len.to_string())
        }
        #[cfg(feature = "since3")]
        fn sync_data(&self) -> Result {
            call("sync_data", "")
        }
        #[cfg(not(feature = "since3"))]
        fn sync_data(&self, eventual: bool) -> Result {
            call("sync_data", &format!("{eventual}"))
        }
        fn write(&self, offset: u64, data: &[u8]) -> Result {
            call("write", &format!("{offset}, {} bytes", data.len()))
        }
        #[cfg(feature = "since3")]
        fn close(&self) -> Result {
            call("close the file", "")
        }
        #[cfg(feature = "since3")]
        fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool> {
            call("try_lock_range", &format!("{start:?}, {end:?}")).map(|()| true)
        }
        #[cfg(feature = "since3")]
        fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result {
            call("unlock_range", &format!("{start:?}, {end:?}"))
        }
    }
}

pub struct Builder;

impl Builder {
    pub fn new() -> Builder {
        Builder
    }
    pub fn set_cache_size(&mut self, bytes: usize) {
        note(&format!("set_cache_size {bytes}"));
    }
    pub fn create_with_backend(&self, backend: impl StorageBackend) -> Result<Database> {
        call("create_with_backend", "")?;
        #[cfg(feature = "since3")]
        if backend.try_lock_range(Bound::Included(1), Bound::Excluded(2))? {
            backend.unlock_range(Bound::Included(3), Bound::Unbounded)?;
        }
        backend.set_len(4)?;
        note(&format!("{} bytes", backend.len()?));
        backend.write(5, &[0; 6])?;
        #[cfg(feature = "since3")]
        backend.read(7, &mut [0; 8])?;
        #[cfg(not(feature = "since3"))]
        note(&format!("{} bytes", backend.read(7, 8)?.len()));
        Ok(Database(Arc::new(backend)))
    }
}

pub struct Database(Arc<dyn StorageBackend>);

#[cfg(feature = "since3")]
pub trait ReadableDatabase {
    fn begin_read(&self) -> Result<ReadTransaction>;
}

#[cfg(feature = "since3")]
impl ReadableDatabase for Database {
    fn begin_read(&self) -> Result<ReadTransaction> {
        call("begin_read", "").map(|()| ReadTransaction)
    }
}

impl Database {
    pub fn begin_write(&self) -> Result<WriteTransaction> {
        call("begin_write", "").map(|()| WriteTransaction(self.0.clone(), Durability::Immediate))
    }
    pub fn compact(&mut self) -> Result<bool> {
        call("compact", "").map(|()| true)
    }
    #[cfg(feature = "since3")]
    pub fn close(self) -> Result {
        self.0.close()?;
        call("close", "")
    }
    #[cfg(not(feature = "since3"))]
    pub fn begin_read(&self) -> Result<ReadTransaction> {
        call("begin_read", "").map(|()| ReadTransaction)
    }
}

#[cfg(not(feature = "since3"))]
impl Drop for Database {
    fn drop(&mut self) {
        note("end of the database");
    }
}

/// What is synced by the engine itself.
fn sync(backend: &dyn StorageBackend) -> Result {
    #[cfg(feature = "since3")]
    return backend.sync_data();
    #[cfg(not(feature = "since3"))]
    backend.sync_data(false)
}

pub struct TableDefinition<'a, K, V>(&'a str, PhantomData<(K, V)>);

impl<'a, K, V> TableDefinition<'a, K, V> {
    pub const fn new(name: &'a str) -> Self {
        TableDefinition(name, PhantomData)
    }
}

pub struct WriteTransaction(Arc<dyn StorageBackend>, Durability);

impl WriteTransaction {
    #[cfg(not(feature = "since3"))]
    pub fn set_durability(&mut self, durability: Durability) {
        note(&format!("set_durability {durability:?}"));
        self.1 = durability;
    }
    #[cfg(feature = "since3")]
    pub fn set_durability(&mut self, durability: Durability) -> Result {
        call("set_durability", &format!("{durability:?}"))?;
        self.1 = durability;
        Ok(())
    }
    pub fn open_table<K, V>(&self, which: TableDefinition<K, V>) -> Result<Table<'_, K, V>> {
        call("open_table", which.0).map(|()| Table(PhantomData))
    }
    pub fn commit(self) -> Result {
        call("commit", "")?;
        match self.1 {
            Durability::None => Ok(()),
            Durability::Immediate => sync(&*self.0),
        }
    }
    pub fn abort(self) -> Result {
        call("abort", "")
    }
}

pub struct AccessGuard<'a, V>(&'static [u8], PhantomData<(&'a (), V)>);

impl<V> AccessGuard<'_, V> {
    pub fn value(&self) -> &[u8] {
        self.0
    }
}

/// --fail=missing:1: there is no record
fn found<'a, V>() -> Option<AccessGuard<'a, V>> {
    call("missing", "").ok().map(|()| AccessGuard(VALUE, PhantomData))
}

pub struct Table<'a, K, V>(PhantomData<(&'a (), K, V)>);

impl<K, V> Table<'_, K, V> {
    pub fn insert(&mut self, key: &[u8], value: &[u8]) -> Result<Option<AccessGuard<'_, V>>> {
        call("insert", &format!("{}, {}", text(key), text(value))).map(|()| found())
    }
    pub fn remove(&mut self, key: &[u8]) -> Result<Option<AccessGuard<'_, V>>> {
        call("remove", &text(key)).map(|()| found())
    }
}

impl<K, V> Drop for Table<'_, K, V> {
    fn drop(&mut self) {
        note("end of the table");
    }
}

pub trait ReadableTable<K, V> {
    fn get(&self, key: &[u8]) -> Result<Option<AccessGuard<'_, V>>>;
}

impl<K, V> ReadableTable<K, V> for Table<'_, K, V> {
    fn get(&self, key: &[u8]) -> Result<Option<AccessGuard<'_, V>>> {
        call("read_in_it", &text(key)).map(|()| found())
    }
}

pub struct ReadTransaction;

impl ReadTransaction {
    pub fn open_table<K, V>(&self, which: TableDefinition<K, V>) -> Result<ReadOnlyTable<K, V>> {
        call("open_table", which.0).map(|()| ReadOnlyTable(PhantomData))
    }
}

pub struct ReadOnlyTable<K, V>(PhantomData<(K, V)>);

impl<K, V> ReadOnlyTable<K, V> {
    pub fn get(&self, key: &[u8]) -> Result<Option<AccessGuard<'static, V>>> {
        call("get", &text(key)).map(|()| found())
    }
    pub fn range<R: AsRef<[u8]>>(
        &self, range: impl RangeBounds<R>,
    ) -> Result<Range<'static, K, V>> {
        call("range", &bounds(&range)).map(|()| Range(PhantomData))
    }
}

impl<K, V> Drop for ReadOnlyTable<K, V> {
    fn drop(&mut self) {
        note("end of the read transaction");
    }
}

pub struct Range<'a, K, V>(PhantomData<(&'a (), K, V)>);

type Record<'a, K, V> = (AccessGuard<'a, K>, AccessGuard<'a, V>);

fn record<'a, K, V>(move_: &str) -> Option<Result<Record<'a, K, V>>> {
    Some(call(move_, "").map(|()| (AccessGuard(KEY, PhantomData), AccessGuard(VALUE, PhantomData))))
}

impl<'a, K, V> Iterator for Range<'a, K, V> {
    type Item = Result<Record<'a, K, V>>;
    fn next(&mut self) -> Option<Self::Item> {
        record("next")
    }
}

impl<K, V> DoubleEndedIterator for Range<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        record("next_back")
    }
}

impl<K, V> Drop for Range<'_, K, V> {
    fn drop(&mut self) {
        note("end of the scan");
    }
}

pub trait ReadableTableMetadata {
    fn stats(&self) -> Result<Stats>;
}

impl<K, V> ReadableTableMetadata for ReadOnlyTable<K, V> {
    fn stats(&self) -> Result<Stats> {
        call("stats", "").map(|()| Stats)
    }
}

pub struct Stats;

impl Stats {
    pub fn tree_height(&self) -> u32 {
        1
    }
    pub fn leaf_pages(&self) -> u64 {
        2
    }
    pub fn branch_pages(&self) -> u64 {
        3
    }
    pub fn stored_bytes(&self) -> u64 {
        4
    }
    pub fn metadata_bytes(&self) -> u64 {
        5
    }
    pub fn fragmented_bytes(&self) -> u64 {
        6
    }
}
