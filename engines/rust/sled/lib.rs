//! sled, a Bw-tree over a log of pages, with threads of its own.
//!
//! It syncs nothing at a commit: `flush` hands the log to the operating system. So async flushes
//! each commit, none leaves the log in the process, and there is no sync. Its thread that flushes
//! every 500 ms is off, as it would sync files at any durability.

use shared::{failure, Answer, Durability, Record, Settings};
use sled::{Batch, Config, Db, IVec, Iter};

struct Store {
    database: Db,
    flushes: bool,
}

impl Store {
    /// A commit is done.
    fn commit(&self) -> Answer {
        if self.flushes {
            self.database.flush()?;
        }
        Ok(())
    }
}

/// The threads of a database that was closed may hold its lock a little longer.
fn open_when_free(config: &Config) -> sled::Result<Db> {
    for _ in 0..500 {
        match config.open() {
            Err(error) if error.to_string().contains("could not acquire lock") => {
                std::thread::sleep(std::time::Duration::from_millis(10))
            }
            opened => return opened,
        }
    }
    config.open()
}

impl shared::Store for Store {
    type Session = Session;

    fn open(settings: &Settings) -> Answer<Store> {
        let path = settings.path().join("data");
        // it would make one where there is none
        if !settings.create && !path.exists() {
            return Err(failure(&format!("there is no database in {}", path.display())));
        }
        let config = Config::new()
            .path(path)
            .cache_capacity(settings.cache_bytes)
            .flush_every_ms(None);
        let database = open_when_free(&config)?;
        Ok(Store { database, flushes: settings.durability == Durability::Async })
    }

    fn close(self) -> Answer {
        self.database.flush()?;
        Ok(())
    }

    fn attach(&'static self) -> Answer<Session> {
        Ok(Session { store: self, record: None, value: None, forward: None, back: None, batch: None })
    }

    fn settle(&mut self) -> Answer {
        self.database.flush()?;
        Ok(())
    }

    fn describe(&self, report: &mut dyn FnMut(&str, u64)) {
        report("recovered", self.database.was_recovered().into());
    }

    fn statistics(&self, report: &mut dyn FnMut(&str, u64)) -> Answer {
        report("size on disk", self.database.size_on_disk()?);
        Ok(())
    }
}

struct Session {
    store: &'static Store,
    record: Option<(IVec, IVec)>, // of a scan
    value: Option<IVec>,          // of a get
    forward: Option<Iter>,
    back: Option<Iter>,
    batch: Option<Batch>,
}

impl Session {
    fn end_scan(&mut self) {
        self.record = None;
        self.value = None;
        self.forward = None;
        self.back = None;
    }

    fn at(&mut self, found: Option<sled::Result<(IVec, IVec)>>) -> Answer<Record<'_>> {
        self.record = found.transpose()?;
        Ok(self.record.as_ref().map(|(key, value)| (&**key, &**value)))
    }
}

impl shared::Session for Session {
    fn put(&mut self, key: &[u8], value: &[u8]) -> Answer {
        self.end_scan();
        if let Some(batch) = &mut self.batch {
            batch.insert(key, value);
            return Ok(());
        }
        self.store.database.insert(key, value)?;
        self.store.commit()
    }

    fn del(&mut self, key: &[u8]) -> Answer<bool> {
        self.end_scan();
        if let Some(batch) = &mut self.batch {
            batch.remove(key);
            return Ok(true);
        }
        let was = self.store.database.remove(key)?.is_some();
        if was {
            self.store.commit()?;
        }
        Ok(was)
    }

    fn get(&mut self, key: &[u8]) -> Answer<Option<&[u8]>> {
        self.end_scan();
        self.value = self.store.database.get(key)?;
        Ok(self.value.as_deref())
    }

    fn seek(&mut self, from: Option<&[u8]>) -> Answer<Record<'_>> {
        self.end_scan();
        let mut scan = self.store.database.range(from.unwrap_or_default()..);
        let found = scan.next();
        self.forward = Some(scan);
        self.at(found)
    }

    fn last(&mut self) -> Answer<Record<'_>> {
        self.end_scan();
        let mut scan = self.store.database.iter();
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
            self.back = Some(self.store.database.range::<&[u8], _>(..&**key));
        }
        let found = self.back.as_mut().and_then(|scan| scan.next_back());
        self.at(found)
    }

    fn release(&mut self) {
        self.end_scan();
    }

    fn begin(&mut self) -> Answer {
        self.batch = Some(Batch::default());
        Ok(())
    }

    fn commit(&mut self) -> Answer {
        self.end_scan();
        let batch = self.batch.take().ok_or_else(|| failure("no batch"))?;
        self.store.database.apply_batch(batch)?;
        self.store.commit()
    }

    fn rollback(&mut self) {
        self.batch = None;
    }
}

shared::export!(Store, "sled", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.lock")));
