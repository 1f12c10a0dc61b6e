// Voron behind engines/engine.h: what engines/voron.c calls through .NET's runtime.
//
// Databases and sessions cross as small numbers, keys and values as pointers. Bytes that are
// returned lie in the map of the data file, or in that of a scratch file, and stay until the
// session's transaction ends. No exception leaves a function that C calls.
using System;
using System.Diagnostics;
using System.Reflection;
using System.Runtime;
using System.Runtime.InteropServices;
using System.Text;
using System.Threading;
using Sparrow;
using Sparrow.Threading;
using Voron;
using Voron.Data.BTrees;
using Voron.Exceptions;
using Voron.Impl;
using Voron.Impl.FileHeaders;
using Voron.Impl.Journal;
using Voron.Util.Settings;

namespace Assay
{
	// enum status of engine.h
	public static class Status
	{
		public const int Done = 0, NotFound = 1, Full = 3, Failed = 5;
	}

	// enum durability
	public enum Level : long
	{
		None,
		Async,
		Sync
	}

	// struct slice
	public unsafe struct Bytes
	{
		public byte* Data;
		public long Size;

		public Bytes(byte* data, long size)
		{
			Data = data;
			Size = size;
		}
	}

	// struct voron_settings of engines/voron.c
	public unsafe struct Settings
	{
		public long Size;
		public byte* Path;
		public IntPtr Program;
		public Level Durability;
		public long Create;
		public long InitialLog, MaxLog, JournalPages;
	}

	// The functions that C calls. Types of Voron are in the classes below, so that one of
	// another version is met in a function that can say so.
	public static unsafe class Calls
	{
		const int Limit = 1 << 13;
		static readonly Database[] databases = new Database[Limit];
		static readonly Session[] sessions = new Session[Limit];

		static int Place<T>(T[] slots, T item) where T : class
		{
			lock (slots)
			{
				int free = Array.IndexOf(slots, null);

				if (free < 0)
					throw new Exception("too many sessions or databases are open");
				slots[free] = item;
				return free;
			}
		}

		static int Fail(Exception e, byte* why)
		{
			Exception cause = e.GetBaseException();
			string text = Failure.Text(cause).Replace('\n', ' ').Replace('\r', ' ').Trim();
			byte[] bytes = Encoding.UTF8.GetBytes(text);
			int n = Math.Min(bytes.Length, 255);

			Marshal.Copy(bytes, 0, (IntPtr)why, n);
			why[n] = 0;
			return Failure.IsFull(cause) ? Status.Full : Status.Failed;
		}

		// ---- timed ----

		public static int Nothing(long session)
		{
			return Status.Done;
		}

		public static int Put(long session, byte* key, long size, byte* value, long length)
		{
			Session s = sessions[session];

			try { return s.Put(key, (int)size, value, (int)length); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Del(long session, byte* key, long size)
		{
			Session s = sessions[session];

			try { return s.Delete(key, (int)size); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Get(long session, byte* key, long size, Bytes* value)
		{
			Session s = sessions[session];

			try { return s.Get(key, (int)size, value); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Seek(long session, byte* from, long size, Bytes* key, Bytes* value)
		{
			Session s = sessions[session];

			try { return s.Seek(from, (int)size, key, value); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Last(long session, Bytes* key, Bytes* value)
		{
			Session s = sessions[session];

			try { return s.Last(key, value); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Next(long session, Bytes* key, Bytes* value)
		{
			Session s = sessions[session];

			try { return s.Next(key, value); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Prev(long session, Bytes* key, Bytes* value)
		{
			Session s = sessions[session];

			try { return s.Prev(key, value); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int NextMany(long session, Bytes* keys, Bytes* values, uint* n)
		{
			Session s = sessions[session];

			try { return s.NextMany(keys, values, n); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Snapshot(long session)
		{
			Session s = sessions[session];

			try { return s.Snapshot(); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Release(long session)
		{
			Session s = sessions[session];

			try { return s.Release(); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Begin(long session)
		{
			Session s = sessions[session];

			try { return s.Begin(); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Commit(long session)
		{
			Session s = sessions[session];

			try { return s.Commit(); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Rollback(long session)
		{
			Session s = sessions[session];

			try { return s.Rollback(); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		// ---- not timed ----

		public static int Open(Settings* settings, long* database, byte* why)
		{
			try
			{
				if (settings->Size != sizeof(Settings))
					throw new Exception("assay_voron.dll is of another assay; " +
						"build it anew: scripts/engine.sh build voron");
				*database = Place(databases, Database.Open(settings));
				return Status.Done;
			}
			catch (Exception e) { return Fail(e, why); }
		}

		public static int Close(long database, byte* why)
		{
			Database db = databases[database];

			databases[database] = null;
			try { return db.Close(); }
			catch (Exception e) { return Fail(e, why); }
		}

		public static int Attach(long database, long* session, byte* why)
		{
			try
			{
				*session = Place(sessions, new Session(databases[database], why));
				return Status.Done;
			}
			catch (Exception e) { return Fail(e, why); }
		}

		public static int Detach(long session)
		{
			Session s = sessions[session];

			sessions[session] = null;
			try { return s.Close(); }
			catch (Exception e) { return Fail(e, s.Why); }
		}

		public static int Settle(long database, byte* why)
		{
			try { return databases[database].Settle(); }
			catch (Exception e) { return Fail(e, why); }
		}

		// Names and values, each of them ended by a zero, and another at the end.
		public static int Describe(long database, byte* text, long size, byte* why)
		{
			try { return databases[database].Describe(new Report(text, size)); }
			catch (Exception e) { return Fail(e, why); }
		}

		public static int Statistics(long database, byte* text, long size, byte* why)
		{
			try { return databases[database].Statistics(new Report(text, size)); }
			catch (Exception e) { return Fail(e, why); }
		}
	}

	static class Failure
	{
		// By name, as the type may be one of a library that is not there.
		public static bool IsFull(Exception e)
		{
			string type = e.GetType().Name;

			return type == "DiskFullException" || type == "QuotaException" ||
				e.Message.Contains("ENOSPC") || e.Message.Contains("No space left");
		}

		public static string Text(Exception e)
		{
			string type = e.GetType().Name;

			return (type == "Exception" ? "" : type + ": ") + e.Message;
		}
	}

	unsafe class Report
	{
		byte* at;
		readonly byte* end;

		public Report(byte* text, long size)
		{
			at = text;
			end = text + size - 1;
			*at = 0;
		}

		void Add(string text)
		{
			byte[] bytes = Encoding.UTF8.GetBytes(text);

			if (bytes.Length + 1 >= end - at)
				return;
			Marshal.Copy(bytes, 0, (IntPtr)at, bytes.Length);
			at += bytes.Length;
			*at++ = 0;
			*at = 0;
		}

		public void Set(string name, object value)
		{
			Add(name);
			Add(Convert.ToString(value).Replace(' ', '_'));
		}
	}

	// Opening a database, Voron writes what its journals hold to the map of the data file. It
	// syncs nothing of it before it syncs a header without these journals and deletes them,
	// so that a power cut would lose what had been synced. Here the data file is first.
	unsafe class Options : StorageEnvironmentOptions.DirectoryStorageEnvironmentOptions
	{
		public bool Opening = true;

		Options(VoronPathSetting path)
			: base(path, path.Combine("Temp"), path.Combine("Journals"), null, null)
		{
		}

		public static Options Of(string path)
		{
			return new Options(new VoronPathSetting(path));
		}

		public override void WriteHeader(string name, FileHeader* header)
		{
			if (Opening)
				DataPager.Sync(0);
			base.WriteHeader(name, header);
		}
	}

	unsafe class Database
	{
		public StorageEnvironment Env;
		public bool Lazy;

		const string TreeName = "records";
		// Longer than any run: Voron's own limit for waiting is 30 seconds.
		public static readonly TimeSpan Ever = TimeSpan.FromDays(20);
		static bool resolves;

		// Voron asks libc for its functions, past those of the program, which count syncs.
		static void Resolve(IntPtr program)
		{
			DllImportResolver resolver = (name, assembly, path) =>
				name == "libc" ? program : IntPtr.Zero;

			if (!resolves)
			{
				NativeLibrary.SetDllImportResolver(typeof(StorageEnvironment).Assembly,
					resolver);
				NativeLibrary.SetDllImportResolver(typeof(ByteString).Assembly, resolver);
			}
			resolves = true;
		}

		// Voron takes what has no readable header for a new database.
		static void RequireHeader(StorageEnvironmentOptions options)
		{
			FileHeader header;

			if (!options.ReadHeader("headers.one", &header) &&
				!options.ReadHeader("headers.two", &header))
				throw new Exception("neither headers.one nor headers.two can be read");
		}

		public static Database Open(Settings* settings)
		{
			Resolve(settings->Program);
			Options options = Options.Of(Marshal.PtrToStringUTF8((IntPtr)settings->Path));

			if (settings->Create == 0)
				RequireHeader(options);
			options.InitialLogFileSize = settings->InitialLog;
			options.MaxLogFileSize = settings->MaxLog;
			options.MaxNumberOfPagesInJournalBeforeFlush = settings->JournalPages;
			Level level = settings->Durability;
			Database db = new Database {
				Env = new StorageEnvironment(options),
				Lazy = level == Level.None
			};
			options.Opening = false;
			using (Transaction tx = db.Env.WriteTransaction())
			{
				tx.CreateTree(TreeName);
				tx.Commit();
			}
			if (level != Level.Sync)
				db.Env.SetTransactionMode(TransactionsMode.Danger, TimeSpan.FromDays(3650));
			return db;
		}

		public int Close()
		{
			Env.Dispose();
			return Status.Done;
		}

		// A tree by a name that belongs to the session.
		public static ByteStringContext.InternalScope Name(ByteStringContext context,
			out Slice name)
		{
			return Slice.From(context, TreeName, ByteStringType.Immutable, out name);
		}

		// Lazy transactions reach the journal by one that is not; then the data file is
		// written and synced.
		public int Settle()
		{
			if (Lazy)
				using (Transaction tx = Env.WriteTransaction(timeout: Ever))
					tx.Commit();
			Env.Journal.Applicator.ApplyLogsToDataFile(CancellationToken.None, Ever);
			using (var sync = new WriteAheadJournal.JournalApplicator.SyncOperation(
				Env.Journal.Applicator))
				sync.SyncDataFile();
			return Status.Done;
		}

		public int Describe(Report r)
		{
			StorageEnvironmentOptions o = Env.Options;

			r.Set("transactions", (Lazy ? "Lazy," : "") + o.TransactionsMode);
			r.Set("page_size", o.PageSize);
			r.Set("initial_log", o.InitialLogFileSize);
			r.Set("max_log", o.MaxLogFileSize);
			r.Set("journal_pages", o.MaxNumberOfPagesInJournalBeforeFlush);
			r.Set("max_scratch", o.MaxScratchBufferSize);
			r.Set("dotnet", RuntimeInformation.FrameworkDescription);
			r.Set("gc", GCSettings.IsServerGC ? "server" : "workstation");
			r.Set("gc_mode", GCSettings.LatencyMode);
			return Status.Done;
		}

		// The collector's work is not among the thread's that calls, nor can it be told
		// from Voron's own background work: its counts are.
		public int Statistics(Report r)
		{
			var stats = Env.Stats();

			using (Transaction tx = Env.ReadTransaction())
			{
				TreeMutableState state = tx.ReadTree(TreeName).State;

				r.Set("entries", state.NumberOfEntries);
				r.Set("depth", state.Depth);
				r.Set("branch pages", state.BranchPages);
				r.Set("leaf pages", state.LeafPages);
				r.Set("overflow pages", state.OverflowPages);
			}
			r.Set("used bytes", stats.UsedDataFileSizeInBytes);
			r.Set("allocated bytes", stats.AllocatedDataFileSizeInBytes);
			r.Set("next transaction", stats.NextWriteTransactionId);
			for (int i = 0; i <= GC.MaxGeneration; i++)
				r.Set("gc collections " + i, GC.CollectionCount(i));
			r.Set("gc allocated bytes", GC.GetTotalAllocatedBytes(false));
			r.Set("gc heap bytes", GC.GetTotalMemory(false));
			return Status.Done;
		}
	}

	unsafe class Session
	{
		public readonly byte* Why;
		readonly Database db;
		readonly TransactionPersistentContext context = new TransactionPersistentContext();
		readonly ByteStringContext allocator =
			new ByteStringContext(SharedMultipleUseFlag.None);
		readonly Slice name;
		Transaction read, write;
		Tree reading, writing;
		TreeIterator iterator;
		bool held; // read is a snapshot

		public Session(Database database, byte* why)
		{
			db = database;
			Why = why;
			Database.Name(allocator, out name);
		}

		public int Release()
		{
			if (read == null)
				return Status.Done;
			if (iterator != null)
				iterator.Dispose();
			Transaction ended = read;
			read = null;
			reading = null;
			iterator = null;
			held = false;
			ended.Dispose();
			return Status.Done;
		}

		// Sees the latest commit, unless a snapshot is held.
		void BeginRead()
		{
			if (held)
				return;
			Release();
			read = db.Env.ReadTransaction(context, allocator);
			reading = read.ReadTree(name);
		}

		public int Snapshot()
		{
			Release();
			BeginRead();
			held = true;
			return Status.Done;
		}

		public int Get(byte* key, int size, Bytes* value)
		{
			Slice wanted;

			if (writing == null)
				BeginRead();
			using (Slice.External(allocator, key, size, out wanted))
			{
				ReadResult found = (writing ?? reading).Read(wanted);

				if (found == null)
					return Status.NotFound;
				*value = new Bytes(found.Reader.Base, found.Reader.Length);
				return Status.Done;
			}
		}

		public int Begin()
		{
			if (!held)
				Release();
			write = db.Env.WriteTransaction(context, allocator, Database.Ever);
			write.LowLevelTransaction.IsLazyTransaction = db.Lazy;
			writing = write.ReadTree(name);
			return Status.Done;
		}

		public int Commit()
		{
			try { write.Commit(); }
			finally { Rollback(); }
			return Status.Done;
		}

		// Also ends a transaction that is committed.
		public int Rollback()
		{
			Transaction ended = write;

			write = null;
			writing = null;
			if (ended != null)
				ended.Dispose();
			return Status.Done;
		}

		void Add(byte* key, int size, byte* value, int length)
		{
			Slice slice;
			byte* to;

			using (Slice.External(allocator, key, size, out slice))
			using (writing.DirectAdd(slice, length, out to))
				Buffer.MemoryCopy(value, to, length, length);
		}

		public int Put(byte* key, int size, byte* value, int length)
		{
			if (write != null)
			{
				Add(key, size, value, length);
				return Status.Done;
			}
			Begin();
			try
			{
				Add(key, size, value, length);
				write.Commit();
			}
			finally { Rollback(); }
			return Status.Done;
		}

		bool Remove(byte* key, int size)
		{
			long before = writing.State.NumberOfEntries;
			Slice slice;

			using (Slice.External(allocator, key, size, out slice))
				writing.Delete(slice);
			return writing.State.NumberOfEntries < before;
		}

		public int Delete(byte* key, int size)
		{
			if (write != null)
				return Remove(key, size) ? Status.Done : Status.NotFound;
			Begin();
			try
			{
				if (!Remove(key, size))
					return Status.NotFound;
				write.Commit();
			}
			finally { Rollback(); }
			return Status.Done;
		}

		int Record(bool found, Bytes* key, Bytes* value)
		{
			if (!found)
				return Status.NotFound;
			Slice k = iterator.CurrentKey;
			ValueReader v = iterator.CreateReaderForCurrent();
			*key = new Bytes(k.Content.Ptr, k.Size);
			*value = new Bytes(v.Base, v.Length);
			return Status.Done;
		}

		void BeginScan()
		{
			BeginRead();
			if (iterator == null)
				iterator = reading.Iterate(false);
		}

		public int Seek(byte* from, int size, Bytes* key, Bytes* value)
		{
			Slice slice;

			BeginScan();
			if (from == null)
				return Record(iterator.Seek(Slices.BeforeAllKeys), key, value);
			using (Slice.External(allocator, from, size, out slice))
				return Record(iterator.Seek(slice), key, value);
		}

		public int Last(Bytes* key, Bytes* value)
		{
			BeginScan();
			return Record(iterator.Seek(Slices.AfterAllKeys), key, value);
		}

		public int Next(Bytes* key, Bytes* value)
		{
			return Record(iterator.MoveNext(), key, value);
		}

		public int Prev(Bytes* key, Bytes* value)
		{
			return Record(iterator.MovePrev(), key, value);
		}

		public int NextMany(Bytes* keys, Bytes* values, uint* n)
		{
			uint i = 0;

			while (i < *n && Record(iterator.MoveNext(), keys + i, values + i) == Status.Done)
				i++;
			*n = i;
			return i > 0 ? Status.Done : Status.NotFound;
		}

		public int Close()
		{
			Rollback();
			Release();
			allocator.Dispose();
			return Status.Done;
		}
	}
}
