//! redb, a copy-on-write B+tree in one file with its own page cache.
//!
//! Every read is in a read transaction: one of its own, or the snapshot's. A single put is a
//! write transaction. redb has no level between None and Immediate, so async is Immediate on a
//! file whose sync does nothing: all writes have been handed to the operating system.

use std::fs::{File, OpenOptions};
use std::mem::transmute;

use redb::backends::FileBackend;
use redb::{
    AccessGuard, Builder, Database, Durability as Level, Range, ReadOnlyTable, ReadableTable,
    ReadableTableMetadata, StorageBackend, Table, TableDefinition, WriteTransaction,
};
#[cfg(feature = "since3")]
use redb::{BackendError, ReadableDatabase};
#[cfg(feature = "since3")]
use std::ops::Bound;

use shared::{failure, Answer, Durability, Record, Settings};

type Bytes = &'static [u8];
const RECORDS: TableDefinition<Bytes, Bytes> = TableDefinition::new("records");

/// The file with a sync that does nothing.
#[derive(Debug)]
struct Unsynced(FileBackend);

#[cfg(feature = "since3")]
impl StorageBackend for Unsynced {
    fn len(&self) -> std::io::Result<u64> {
        self.0.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.0.read(offset, out)
    }
    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.0.set_len(len)
    }
    fn sync_data(&self) -> std::io::Result<()> {
        Ok(())
    }
    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.0.write(offset, data)
    }
    fn close(&self) -> std::io::Result<()> {
        self.0.close()
    }
    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.0.try_lock_range(start, end)
    }
    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.0.unlock_range(start, end)
    }
}

#[cfg(not(feature = "since3"))]
impl StorageBackend for Unsynced {
    fn len(&self) -> std::io::Result<u64> {
        self.0.len()
    }
    fn read(&self, offset: u64, len: usize) -> std::io::Result<Vec<u8>> {
        self.0.read(offset, len)
    }
    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.0.set_len(len)
    }
    fn sync_data(&self, _eventual: bool) -> std::io::Result<()> {
        Ok(())
    }
    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.0.write(offset, data)
    }
}

struct Store {
    database: Database,
    file: File, // to sync it where redb does not
    durability: Durability,
}

impl Store {
    fn begin_write(&self, level: Level) -> Answer<WriteTransaction> {
        #[allow(unused_mut)]
        let mut transaction = self.database.begin_write()?;
        #[cfg(feature = "since3")]
        transaction.set_durability(level)?;
        #[cfg(not(feature = "since3"))]
        transaction.set_durability(level);
        Ok(transaction)
    }

    fn begin(&self) -> Answer<WriteTransaction> {
        self.begin_write(match self.durability {
            Durability::None => Level::None,
            _ => Level::Immediate,
        })
    }

    /// What redb keeps in memory at none goes to the file with a commit that is durable.
    fn persist(&self) -> Answer {
        match self.durability {
            Durability::None => Ok(self.begin_write(Level::Immediate)?.commit()?),
            _ => Ok(()),
        }
    }
}

fn close_database(database: Database) -> Answer {
    #[cfg(feature = "since3")]
    database.close()?;
    #[cfg(not(feature = "since3"))]
    drop(database);
    Ok(())
}

impl shared::Store for Store {
    type Session = Session;

    fn open(settings: &Settings) -> Answer<Store> {
        let path = settings.path().join("data.redb");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(settings.create)
            .open(&path)?;
        let backend = FileBackend::new(file.try_clone()?)?;
        let mut builder = Builder::new();
        builder.set_cache_size(settings.cache_bytes as usize);
        let database = match settings.durability {
            Durability::Async => builder.create_with_backend(Unsynced(backend))?,
            _ => builder.create_with_backend(backend)?,
        };
        // what was written at another durability
        if settings.durability == Durability::Sync && !settings.create {
            file.sync_data()?;
        }
        let store = Store { database, file, durability: settings.durability };
        let transaction = store.begin()?;
        transaction.open_table(RECORDS)?;
        transaction.commit()?;
        Ok(store)
    }

    fn close(self) -> Answer {
        let persisted = self.persist();
        close_database(self.database)?;
        persisted
    }

    fn attach(&'static self) -> Answer<Session> {
        Ok(Session { store: self, value: None, key: None, forward: None, back: None,
                     read: None, held: false, table: None, write: None })
    }

    fn settle(&mut self) -> Answer {
        self.persist()?;
        Ok(self.file.sync_data()?)
    }

    fn compact(&mut self) -> Answer {
        self.persist()?;
        self.database.compact()?;
        Ok(())
    }

    fn describe(&self, report: &mut dyn FnMut(&str, u64)) {
        report("unsynced_file", (self.durability == Durability::Async).into());
    }

    fn statistics(&self, report: &mut dyn FnMut(&str, u64)) -> Answer {
        let stats = self.database.begin_read()?.open_table(RECORDS)?.stats()?;

        report("tree height", stats.tree_height().into());
        report("leaf pages", stats.leaf_pages());
        report("branch pages", stats.branch_pages());
        report("stored bytes", stats.stored_bytes());
        report("metadata bytes", stats.metadata_bytes());
        report("fragmented bytes", stats.fragmented_bytes());
        Ok(())
    }
}

/// What borrows is above what it borrows from, as members are dropped in this order.
struct Session {
    store: &'static Store,
    value: Option<AccessGuard<'static, Bytes>>,
    key: Option<AccessGuard<'static, Bytes>>,
    forward: Option<Range<'static, Bytes, Bytes>>, // of a scan
    back: Option<Range<'static, Bytes, Bytes>>,
    read: Option<ReadOnlyTable<Bytes, Bytes>>, // it keeps its transaction
    held: bool,                                // it is a snapshot, until release
    table: Option<Table<'static, Bytes, Bytes>>, // of `write`
    write: Option<Box<WriteTransaction>>,
}

/// # Safety
/// redb's types say of a key or value that is passed that it lasts as long as the table's.
/// It is looked at during the call only.
fn lasting(bytes: &[u8]) -> Bytes {
    unsafe { transmute(bytes) }
}

impl Session {
    /// Ends what the last call has returned.
    fn forget(&mut self) {
        self.value = None;
        self.key = None;
    }

    fn end_scan(&mut self) {
        self.forget();
        self.forward = None;
        self.back = None;
    }

    /// The table as of the latest commit, unless a snapshot is held.
    fn begin_read(&mut self) -> Answer<&ReadOnlyTable<Bytes, Bytes>> {
        self.end_scan();
        if !self.held {
            self.read = Some(self.store.database.begin_read()?.open_table(RECORDS)?);
        }
        self.read.as_ref().ok_or_else(|| failure("no read transaction"))
    }

    fn at(&mut self, found: Found) -> Answer<Record<'_>> {
        self.forget();
        let Some(found) = found else { return Ok(None) };
        let (key, value) = found?;
        let (key, value) = (self.key.insert(key), self.value.insert(value));
        Ok(Some((key.value(), value.value())))
    }

    fn write(&mut self, key: &[u8], value: Option<&[u8]>) -> Answer<bool> {
        self.end_scan();
        if let Some(table) = &mut self.table {
            return write_to(table, key, value);
        }
        let transaction = self.store.begin()?;
        let mut table = transaction.open_table(RECORDS)?;
        let was = write_to(&mut table, key, value)?;
        drop(table);
        if value.is_some() || was {
            transaction.commit()?;
        } else {
            transaction.abort()?;
        }
        Ok(was)
    }
}

type Found = Option<redb::Result<(AccessGuard<'static, Bytes>, AccessGuard<'static, Bytes>), redb::StorageError>>;

fn write_to(table: &mut Table<Bytes, Bytes>, key: &[u8], value: Option<&[u8]>) -> Answer<bool> {
    Ok(match value {
        Some(value) => table.insert(key, value)?.is_some(),
        None => table.remove(key)?.is_some(),
    })
}

impl shared::Session for Session {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Answer {
        self.write(key, Some(value)).map(|_| ())
    }

    fn del(&mut self, key: &[u8]) -> Answer<bool> {
        self.write(key, None)
    }

    fn get(&mut self, key: &[u8]) -> Answer<Option<&[u8]>> {
        self.end_scan();
        self.value = match &self.table {
            // SAFETY: forgotten before the table is written to, or ends
            Some(table) => unsafe { transmute(table.get(lasting(key))?) },
            None => self.begin_read()?.get(lasting(key))?,
        };
        Ok(self.value.as_ref().map(|value| value.value()))
    }

    fn seek(&mut self, from: Option<&[u8]>) -> Answer<Record<'_>> {
        let table = self.begin_read()?;
        let mut range = match from {
            Some(key) => table.range(lasting(key)..)?,
            None => table.range::<Bytes>(..)?,
        };
        let found = range.next();
        self.forward = Some(range);
        self.at(found)
    }

    fn last(&mut self) -> Answer<Record<'_>> {
        let mut range = self.begin_read()?.range::<Bytes>(..)?;
        let found = range.next_back();
        self.back = Some(range);
        self.at(found)
    }

    fn next(&mut self) -> Answer<Record<'_>> {
        let found = self.forward.as_mut().and_then(|range| range.next());
        self.at(found)
    }

    /// A range ends where its two ends meet, so that of a seek cannot turn round.
    fn prev(&mut self) -> Answer<Record<'_>> {
        if self.back.is_none() {
            if let (Some(key), Some(table)) = (&self.key, &self.read) {
                self.back = Some(table.range(..lasting(key.value()))?);
            }
        }
        let found = self.back.as_mut().and_then(|range| range.next_back());
        self.at(found)
    }

    fn snapshot(&mut self) -> Answer {
        self.begin_read()?;
        self.held = true;
        Ok(())
    }

    fn release(&mut self) {
        self.end_scan();
        self.read = None;
        self.held = false;
    }

    fn begin(&mut self) -> Answer {
        self.release();
        let transaction = Box::new(self.store.begin()?);
        // SAFETY: the transaction stays where it is, and the table is dropped before it
        self.table = Some(unsafe { transmute(transaction.open_table(RECORDS)?) });
        self.write = Some(transaction);
        Ok(())
    }

    fn commit(&mut self) -> Answer {
        self.end_scan();
        self.table = None;
        let transaction = self.write.take().ok_or_else(|| failure("no transaction"))?;
        Ok(transaction.commit()?)
    }

    fn rollback(&mut self) {
        self.end_scan();
        self.table = None;
        if let Some(transaction) = self.write.take() {
            // what cannot be undone now is repaired by the next open
            let _ = transaction.abort();
        }
    }
}

shared::export!(Store, "redb", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")));
