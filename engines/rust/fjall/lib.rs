//! fjall, an LSM tree with a journal and threads of its own.
//!
//! A write at sync is a batch of one record whose durability is set: after `insert` and
//! `persist` others would see the record before it is durable. At async each commit is one write
//! to the journal, at none the journal stays in the process until its buffer is full.

use fjall::{PersistMode, UserKey, UserValue};
use shared::{failure, Answer, Durability, Record, Settings};

use version::{Batch, Database, Records, Scan, Snapshot};

/// fjall 3: a database has keyspaces.
#[cfg(feature = "since3")]
mod version {
    use fjall::config::{
        BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
    };
    use fjall::{CompressionType, Guard, KeyspaceCreateOptions, Readable, UserKey, UserValue};
    pub use fjall::{Database, Iter as Scan, Keyspace as Records, OwnedWriteBatch as Batch, Snapshot};
    use shared::Answer;

    pub fn open(settings: &super::Options) -> Answer<(Database, Records, bool)> {
        let database = Database::builder(&settings.path)
            .cache_size(settings.cache_bytes)
            .manual_journal_persist(settings.buffered)
            .journal_compression(CompressionType::None)
            .open()?;
        let compression = match settings.lz4 {
            true => CompressionPolicy::all(CompressionType::Lz4),
            false => CompressionPolicy::disabled(),
        };
        let bits = BloomConstructionPolicy::BitsPerKey(settings.bloom_bits as f32);
        let filter = match settings.bloom_bits {
            0 => FilterPolicy::disabled(),
            _ => FilterPolicy::all(FilterPolicyEntry::Bloom(bits)),
        };
        let there = database.keyspace_exists(super::name(!settings.buffered));
        let buffered = settings.buffered != there;
        let records = database.keyspace(super::name(buffered), || {
            KeyspaceCreateOptions::default()
                .manual_journal_persist(buffered)
                .max_memtable_size(settings.write_buffer_bytes)
                .data_block_size_policy(BlockSizePolicy::all(settings.block_size))
                .data_block_compression_policy(compression)
                .filter_policy(filter)
        })?;
        Ok((database, records, buffered == settings.buffered))
    }

    pub fn snapshot(database: &Database, _records: &Records) -> Snapshot {
        database.snapshot()
    }

    pub fn get(snapshot: &Snapshot, records: &Records, key: &[u8]) -> fjall::Result<Option<UserValue>> {
        snapshot.get(records, key)
    }

    /// From this key on, or what is below it.
    pub fn above(records: &Records, snapshot: Option<&Snapshot>, from: &[u8]) -> Scan {
        match snapshot {
            Some(snapshot) => snapshot.range(records, from..),
            None => records.range(from..),
        }
    }

    pub fn below(records: &Records, snapshot: Option<&Snapshot>, to: Option<&[u8]>) -> Scan {
        match (snapshot, to) {
            (Some(snapshot), Some(to)) => snapshot.range(records, ..to),
            (Some(snapshot), None) => snapshot.iter(records),
            (None, Some(to)) => records.range(..to),
            (None, None) => records.iter(),
        }
    }

    pub fn record(found: Guard) -> fjall::Result<(UserKey, UserValue)> {
        found.into_inner()
    }

    /// Flushes that wait, compactions that run, and what changes as they end.
    pub fn work(database: &Database, records: &Records) -> (u64, u64) {
        let flushes = database.outstanding_flushes() + records.sealed_memtable_count();
        let ended = database.compactions_completed() + records.table_count();
        ((flushes + database.active_compactions()) as u64, ended as u64)
    }

    pub fn tables(records: &Records) -> u64 {
        records.table_count() as u64
    }
}

/// fjall 2: a keyspace has partitions.
#[cfg(not(feature = "since3"))]
mod version {
    use fjall::{CompressionType, Config, KvPair, PartitionCreateOptions, UserKey, UserValue};
    pub use fjall::{Batch, Keyspace as Database, PartitionHandle as Records, Snapshot};
    use shared::Answer;

    pub type Scan = Box<dyn DoubleEndedIterator<Item = fjall::Result<KvPair>>>;

    pub fn open(settings: &super::Options) -> Answer<(Database, Records, bool)> {
        let database = Config::new(&settings.path)
            .cache_size(settings.cache_bytes)
            .manual_journal_persist(settings.buffered)
            .open()?;
        let compression = match settings.lz4 {
            true => CompressionType::Lz4,
            false => CompressionType::None,
        };
        let there = database.partition_exists(super::name(!settings.buffered));
        let buffered = settings.buffered != there;
        let options = PartitionCreateOptions::default()
            .manual_journal_persist(buffered)
            .max_memtable_size(settings.write_buffer_bytes.min(u32::MAX.into()) as u32)
            .block_size(settings.block_size)
            .compression(compression)
            .bloom_filter_bits((settings.bloom_bits > 0).then_some(settings.bloom_bits as u8));
        let records = database.open_partition(super::name(buffered), options)?;
        Ok((database, records, buffered == settings.buffered))
    }

    pub fn snapshot(_database: &Database, records: &Records) -> Snapshot {
        records.snapshot()
    }

    pub fn get(snapshot: &Snapshot, _records: &Records, key: &[u8]) -> fjall::Result<Option<UserValue>> {
        Ok(snapshot.get(key)?)
    }

    pub fn above(records: &Records, snapshot: Option<&Snapshot>, from: &[u8]) -> Scan {
        match snapshot {
            Some(snapshot) => Box::new(snapshot.range(from..).map(|found| Ok(found?))),
            None => Box::new(records.range(from..)),
        }
    }

    pub fn below(records: &Records, snapshot: Option<&Snapshot>, to: Option<&[u8]>) -> Scan {
        match (snapshot, to) {
            (Some(snapshot), Some(to)) => Box::new(snapshot.range(..to).map(|found| Ok(found?))),
            (Some(snapshot), None) => Box::new(snapshot.iter().map(|found| Ok(found?))),
            (None, Some(to)) => Box::new(records.range(..to)),
            (None, None) => Box::new(records.iter()),
        }
    }

    pub fn record(found: fjall::Result<KvPair>) -> fjall::Result<(UserKey, UserValue)> {
        found
    }

    pub fn work(database: &Database, records: &Records) -> (u64, u64) {
        let ended = database.compactions_completed() + records.segment_count();
        (database.active_compactions() as u64, ended as u64)
    }

    pub fn tables(records: &Records) -> u64 {
        records.segment_count() as u64
    }
}

/// fjall keeps for ever what a keyspace was created with, also whether an insert reaches the
/// operating system. So its name tells, and at another durability a write is a batch of one, of
/// which the database decides.
fn name(buffered: bool) -> &'static str {
    match buffered {
        true => "buffered",
        false => "records",
    }
}

/// What is set of a database.
struct Options {
    path: std::path::PathBuf,
    cache_bytes: u64,
    write_buffer_bytes: u64,
    bloom_bits: u64,
    block_size: u32,
    buffered: bool,
    lz4: bool,
}

struct Store {
    database: Database,
    records: Records,
    durability: Durability,
    inserts: bool, // a write needs no batch
}

impl Store {
    fn batch(&self) -> Batch {
        let batch = self.database.batch();
        match self.durability {
            Durability::Sync => batch.durability(Some(PersistMode::SyncData)),
            _ => batch,
        }
    }
}

impl shared::Store for Store {
    type Session = Session;

    fn open(settings: &Settings) -> Answer<Store> {
        let path = settings.path().join("data");
        // it would make one where there is none
        if !settings.create && !path.exists() {
            return Err(failure(&format!("there is no database in {}", path.display())));
        }
        let (database, records, as_created) = version::open(&Options {
            path,
            cache_bytes: settings.cache_bytes,
            write_buffer_bytes: settings.write_buffer_bytes,
            bloom_bits: settings.options[0],
            block_size: settings.options[1] as u32,
            buffered: settings.durability == Durability::None,
            lz4: settings.lz4,
        })?;
        // what was written at another durability
        if settings.durability == Durability::Sync && !settings.create {
            database.persist(PersistMode::SyncAll)?;
        }
        let durability = settings.durability;
        let inserts = as_created && durability != Durability::Sync;
        Ok(Store { database, records, durability, inserts })
    }

    fn close(self) -> Answer {
        Ok(self.database.persist(PersistMode::Buffer)?)
    }

    fn attach(&'static self) -> Answer<Session> {
        Ok(Session { store: self, record: None, value: None, forward: None, back: None,
                     snapshot: None, batch: None })
    }

    fn settle(&mut self) -> Answer {
        self.records.rotate_memtable_and_wait()?;
        Ok(self.database.persist(PersistMode::SyncAll)?)
    }

    fn compact(&mut self) -> Answer {
        self.records.rotate_memtable_and_wait()?;
        Ok(self.records.major_compact()?)
    }

    fn pending(&self) -> (Option<u64>, u64) {
        let (work, ended) = version::work(&self.database, &self.records);
        // what is to be compacted next it does not tell
        ((work > 0).then_some(work), ended)
    }

    fn describe(&self, report: &mut dyn FnMut(&str, u64)) {
        report("cache_capacity", self.database.cache_capacity());
    }

    fn statistics(&self, report: &mut dyn FnMut(&str, u64)) -> Answer {
        report("tables", version::tables(&self.records));
        report("journals", self.database.journal_count() as u64);
        report("write buffers, bytes", self.database.write_buffer_size());
        report("compactions", self.database.compactions_completed() as u64);
        report("compacting, us", self.database.time_compacting().as_micros() as u64);
        Ok(())
    }
}

struct Session {
    store: &'static Store,
    record: Option<(UserKey, UserValue)>, // of a scan
    value: Option<UserValue>,             // of a get
    forward: Option<Scan>,
    back: Option<Scan>,
    snapshot: Option<Snapshot>, // held until release
    batch: Option<Batch>,
}

impl Session {
    fn end_scan(&mut self) {
        self.record = None;
        self.value = None;
        self.forward = None;
        self.back = None;
    }

    fn at(&mut self, found: Option<<Scan as Iterator>::Item>) -> Answer<Record<'_>> {
        self.record = found.map(version::record).transpose()?;
        Ok(self.record.as_ref().map(|(key, value)| (&**key, &**value)))
    }

    fn write(&mut self, key: &[u8], value: Option<&[u8]>) -> Answer {
        let records = &self.store.records;
        self.end_scan();
        if let Some(batch) = &mut self.batch {
            add(batch, records, key, value);
            return Ok(());
        }
        match (self.store.inserts, value) {
            (true, Some(value)) => records.insert(key, value)?,
            (true, None) => records.remove(key)?,
            (false, _) => {
                let mut batch = self.store.batch();
                add(&mut batch, records, key, value);
                batch.commit()?;
            }
        }
        Ok(())
    }
}

fn add(batch: &mut Batch, records: &Records, key: &[u8], value: Option<&[u8]>) {
    match value {
        Some(value) => batch.insert(records, key, value),
        None => batch.remove(records, key),
    }
}

impl shared::Session for Session {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Answer {
        self.write(key, Some(value))
    }

    fn del(&mut self, key: &[u8]) -> Answer<bool> {
        self.write(key, None)?;
        Ok(true)
    }

    fn get(&mut self, key: &[u8]) -> Answer<Option<&[u8]>> {
        let records = &self.store.records;
        self.end_scan();
        self.value = match &self.snapshot {
            Some(snapshot) => version::get(snapshot, records, key)?,
            None => records.get(key)?,
        };
        Ok(self.value.as_deref())
    }

    fn seek(&mut self, from: Option<&[u8]>) -> Answer<Record<'_>> {
        self.end_scan();
        let mut scan =
            version::above(&self.store.records, self.snapshot.as_ref(), from.unwrap_or_default());
        let found = scan.next();
        self.forward = Some(scan);
        self.at(found)
    }

    fn last(&mut self) -> Answer<Record<'_>> {
        self.end_scan();
        let mut scan = version::below(&self.store.records, self.snapshot.as_ref(), None);
        let found = scan.next_back();
        self.back = Some(scan);
        self.at(found)
    }

    fn next(&mut self) -> Answer<Record<'_>> {
        let found = self.forward.as_mut().and_then(|scan| scan.next());
        self.at(found)
    }

    /// An iterator ends where its two ends meet, so that of a seek cannot turn round.
    fn prev(&mut self) -> Answer<Record<'_>> {
        if let (None, Some((key, _))) = (&self.back, &self.record) {
            let snapshot = self.snapshot.as_ref();
            self.back = Some(version::below(&self.store.records, snapshot, Some(key)));
        }
        let found = self.back.as_mut().and_then(|scan| scan.next_back());
        self.at(found)
    }

    fn snapshot(&mut self) -> Answer {
        self.end_scan();
        self.snapshot = Some(version::snapshot(&self.store.database, &self.store.records));
        Ok(())
    }

    fn release(&mut self) {
        self.end_scan();
        self.snapshot = None;
    }

    fn begin(&mut self) -> Answer {
        self.batch = Some(self.store.batch());
        Ok(())
    }

    fn commit(&mut self) -> Answer {
        self.end_scan();
        let batch = self.batch.take().ok_or_else(|| failure("no batch"))?;
        Ok(batch.commit()?)
    }

    fn rollback(&mut self) {
        self.batch = None;
    }
}

shared::export!(Store, "fjall", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")));
