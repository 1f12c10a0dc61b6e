//! fjall.rs: stands in for the crate fjall 3, and without the feature since3 for fjall 2,
//! which has other names: what engines/rust/fjall calls of it.

mod note;
use note::{bounds, call, note, text, KEY, VALUE};
use std::ops::RangeBounds;
use std::path::Path;

pub type Error = std::io::Error;
pub type Result<T> = std::io::Result<T>;
pub type UserKey = Vec<u8>;
pub type UserValue = Vec<u8>;

#[cfg(not(feature = "since3"))]
pub use since2::*;
#[cfg(feature = "since3")]
pub use Records as Keyspace;

#[derive(Debug)]
pub enum PersistMode {
    Buffer,
    SyncData,
    SyncAll,
}

#[derive(Debug)]
pub enum CompressionType {
    None,
    Lz4,
}

pub mod config {
    #[derive(Debug)]
    pub enum BlockSizePolicy {
        All(u32),
    }
    impl BlockSizePolicy {
        pub fn all(size: u32) -> Self {
            Self::All(size)
        }
    }
    #[derive(Debug)]
    pub enum BloomConstructionPolicy {
        BitsPerKey(f32),
    }
    #[derive(Debug)]
    pub enum FilterPolicyEntry {
        Bloom(BloomConstructionPolicy),
    }
    #[derive(Debug)]
    pub enum FilterPolicy {
        All(FilterPolicyEntry),
        Disabled,
    }
    impl FilterPolicy {
        pub fn all(entry: FilterPolicyEntry) -> Self {
            Self::All(entry)
        }
        pub fn disabled() -> Self {
            Self::Disabled
        }
    }
    #[derive(Debug)]
    pub enum CompressionPolicy {
        All(super::CompressionType),
        Disabled,
    }
    impl CompressionPolicy {
        pub fn all(compression: super::CompressionType) -> Self {
            Self::All(compression)
        }
        pub fn disabled() -> Self {
            Self::Disabled
        }
    }
}

/// Methods that set one thing.
macro_rules! sets {
    ($($name:ident: $kind:ty),*) => {
        $(pub fn $name(self, value: $kind) -> Self {
            note(&format!("{} {value:?}", stringify!($name)));
            self
        })*
    };
}

/// Methods that report a number.
macro_rules! reports {
    ($($name:ident: $kind:ty = $value:literal),*) => {
        $(pub fn $name(&self) -> $kind {
            note(stringify!($name));
            $value
        })*
    };
}

pub struct Builder;

impl Builder {
    sets!(cache_size: u64, manual_journal_persist: bool, journal_compression: CompressionType);
    pub fn open(self) -> Result<Database> {
        call("open", "").map(|()| Database)
    }
}

#[derive(Default)]
pub struct KeyspaceCreateOptions;

impl KeyspaceCreateOptions {
    sets!(
        manual_journal_persist: bool, max_memtable_size: u64,
        data_block_size_policy: config::BlockSizePolicy,
        data_block_compression_policy: config::CompressionPolicy,
        filter_policy: config::FilterPolicy
    );
}

pub struct Database;

impl Database {
    reports!(outstanding_flushes: usize = 2000, compactions_completed: usize = 30,
             active_compactions: usize = 4, cache_capacity: u64 = 5, journal_count: usize = 6,
             write_buffer_size: u64 = 7);
    pub fn builder(path: &Path) -> Builder {
        // a directory is made, as whether it is there decides what an open does
        std::fs::create_dir_all(path).unwrap();
        note(&format!("builder {}", path.display()));
        Builder
    }
    /// --fail=keyspace_exists:1: what another durability has made is there
    pub fn keyspace_exists(&self, name: &str) -> bool {
        call("keyspace_exists", name).is_err()
    }
    pub fn keyspace(
        &self, name: &str, make: impl FnOnce() -> KeyspaceCreateOptions,
    ) -> Result<Records> {
        call("keyspace", name)?;
        make();
        Ok(Records)
    }
    pub fn snapshot(&self) -> Snapshot {
        note("snapshot");
        Snapshot
    }
    pub fn batch(&self) -> OwnedWriteBatch {
        note("batch");
        OwnedWriteBatch
    }
    pub fn persist(&self, mode: PersistMode) -> Result<()> {
        call("persist", &format!("{mode:?}"))
    }
    pub fn time_compacting(&self) -> std::time::Duration {
        note("time_compacting");
        std::time::Duration::from_micros(1234567)
    }
}

pub struct Records;

impl Records {
    reports!(sealed_memtable_count: usize = 100, table_count: usize = 11);
    pub fn insert(&self, key: &[u8], value: &[u8]) -> Result<()> {
        call("insert", &format!("{}, {}", text(key), text(value)))
    }
    pub fn remove(&self, key: &[u8]) -> Result<()> {
        call("remove", &text(key))
    }
    pub fn get(&self, key: &[u8]) -> Result<Option<UserValue>> {
        call("get", &text(key)).map(|()| Some(VALUE.to_vec()))
    }
    pub fn range<K: AsRef<[u8]>>(&self, range: impl RangeBounds<K>) -> Iter {
        note(&format!("range {}", bounds(&range)));
        Iter
    }
    pub fn iter(&self) -> Iter {
        note("iter");
        Iter
    }
    pub fn rotate_memtable_and_wait(&self) -> Result<()> {
        call("rotate_memtable_and_wait", "")
    }
    pub fn major_compact(&self) -> Result<()> {
        call("major_compact", "")
    }
}

pub struct OwnedWriteBatch;

impl OwnedWriteBatch {
    sets!(durability: Option<PersistMode>);
    pub fn insert(&mut self, _: &Records, key: &[u8], value: &[u8]) {
        note(&format!("batch insert {}, {}", text(key), text(value)));
    }
    pub fn remove(&mut self, _: &Records, key: &[u8]) {
        note(&format!("batch remove {}", text(key)));
    }
    pub fn commit(self) -> Result<()> {
        call("commit", "")
    }
}

pub struct Snapshot;

impl Drop for Snapshot {
    fn drop(&mut self) {
        note("end of the snapshot");
    }
}

pub trait Readable {
    fn get(&self, of: &Records, key: &[u8]) -> Result<Option<UserValue>>;
    fn range<K: AsRef<[u8]>>(&self, of: &Records, range: impl RangeBounds<K>) -> Iter;
    fn iter(&self, of: &Records) -> Iter;
}

impl Readable for Snapshot {
    fn get(&self, of: &Records, key: &[u8]) -> Result<Option<UserValue>> {
        note("of the snapshot");
        of.get(key)
    }
    fn range<K: AsRef<[u8]>>(&self, of: &Records, range: impl RangeBounds<K>) -> Iter {
        note("of the snapshot");
        of.range(range)
    }
    fn iter(&self, of: &Records) -> Iter {
        note("of the snapshot");
        of.iter()
    }
}

pub struct Iter;

#[cfg(feature = "since3")]
type Found = Guard;
#[cfg(not(feature = "since3"))]
type Found = Result<(UserKey, UserValue)>;

fn found(call: &'static str) -> Option<Found> {
    #[cfg(feature = "since3")]
    return Some(Guard(call));
    #[cfg(not(feature = "since3"))]
    Some(Guard(call).into_inner())
}

impl Iterator for Iter {
    type Item = Found;
    fn next(&mut self) -> Option<Found> {
        found("next")
    }
}

impl DoubleEndedIterator for Iter {
    fn next_back(&mut self) -> Option<Found> {
        found("next_back")
    }
}

impl Drop for Iter {
    fn drop(&mut self) {
        note("end of the scan");
    }
}

pub struct Guard(&'static str);

impl Guard {
    pub fn into_inner(self) -> Result<(UserKey, UserValue)> {
        call(self.0, "").map(|()| (KEY.to_vec(), VALUE.to_vec()))
    }
}

#[cfg(not(feature = "since3"))]
mod since2 {
    use super::{call, note, Database, Iter, Result, UserKey, UserValue};
    use std::ops::RangeBounds;
    use std::path::Path;

    pub type Keyspace = Database;
    pub type PartitionHandle = super::Records;
    pub type Batch = super::OwnedWriteBatch;
    pub type KvPair = (UserKey, UserValue);
    pub struct Config;

    impl Config {
        pub fn new(path: &Path) -> super::Builder {
            Database::builder(path)
        }
    }

    #[derive(Default)]
    pub struct PartitionCreateOptions;

    impl PartitionCreateOptions {
        sets!(
            manual_journal_persist: bool, max_memtable_size: u32, block_size: u32,
            compression: super::CompressionType, bloom_filter_bits: Option<u8>
        );
    }

    impl Database {
        pub fn partition_exists(&self, name: &str) -> bool {
            self.keyspace_exists(name)
        }
        pub fn open_partition(
            &self, name: &str, _: PartitionCreateOptions,
        ) -> Result<PartitionHandle> {
            call("open_partition", name).map(|()| super::Records)
        }
    }

    impl super::Records {
        pub fn segment_count(&self) -> usize {
            note("segment_count");
            12
        }
        pub fn snapshot(&self) -> super::Snapshot {
            note("snapshot");
            super::Snapshot
        }
    }

    impl super::Snapshot {
        pub fn get(&self, key: &[u8]) -> Result<Option<UserValue>> {
            super::Readable::get(self, &super::Records, key)
        }
        pub fn range<K: AsRef<[u8]>>(&self, range: impl RangeBounds<K>) -> Iter {
            super::Readable::range(self, &super::Records, range)
        }
        pub fn iter(&self) -> Iter {
            super::Readable::iter(self, &super::Records)
        }
    }
}
