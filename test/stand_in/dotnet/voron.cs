// voron.cs stands in for Voron (stand_in.h): what engines/dotnet/voron calls of it. Each call
// prints a line, and succeeds, or fails as --fail of calls.cs asks.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;
using Sparrow;
using Voron.Data.BTrees;
using Voron.Impl;
using Voron.Impl.FileHeaders;
using Voron.Impl.Journal;
using Voron.Util.Settings;

// of .NET, which Mono does not have
namespace System.Runtime.InteropServices
{
	public delegate IntPtr DllImportResolver(string name, Reflection.Assembly of, object path);

	public static class NativeLibrary
	{
		public static void SetDllImportResolver(Reflection.Assembly of, DllImportResolver r)
		{
			StandIn.Note("libc is {0}, another {1}", r("libc", of, null), r("libm", of, null));
		}
	}
}

public class DiskFullException : Exception
{
	public DiskFullException() : base("full") { }
}

public class QuotaException : Exception
{
	public QuotaException() : base("quota") { }
}

public static unsafe class StandIn
{
	public static string[] Failing = { "" }; // NAME:RESULT[:NTH]
	static int calls;

	// The record that every read finds.
	public static readonly byte* Key = Copy("0000000000000001");
	public static readonly byte* Value = Copy("the value that is always found");

	static byte* Copy(string text)
	{
		return (byte*)Marshal.StringToHGlobalAnsi(text);
	}

	public static void Note(string format, params object[] values)
	{
		Console.WriteLine("\t\t" + string.Format(format, values));
	}

	// Whether it fails: --fail=NAME:1 by an exception, NAME:3 for a full device.
	public static bool Fails(string name)
	{
		if (Failing[0] != name || (Failing.Length > 2 && ++calls != int.Parse(Failing[2])))
			return false;
		Note("fails: {0}", Failing[1]);
		return true;
	}

	public static void Call(string name, string format = "", params object[] values)
	{
		Note(name + " " + format, values);
		if (!Fails(name))
			return;
		if (Failing[1] == "3")
			throw new DiskFullException();
		if (Failing[1] == "4")
			throw new Exception("write: ENOSPC\nof the second line");
		if (Failing[1] == "5")
			throw new QuotaException();
		if (Failing[1] == "6")
			throw new Exception("No space left" + new string('.', 300));
		throw new InvalidOperationException(name + " fails", new Exception("its cause"));
	}

	public static string Text(byte* bytes, long size)
	{
		return size == 16 ? Marshal.PtrToStringAnsi((IntPtr)bytes, 16) : size + " bytes";
	}
}

namespace Sparrow
{
	public class ByteString { }

	public enum ByteStringType { Immutable }

	public class ByteStringContext : IDisposable
	{
		public struct InternalScope : IDisposable
		{
			public void Dispose() { }
		}

		public ByteStringContext(Threading.SharedMultipleUseFlag flag) { }

		public void Dispose()
		{
			StandIn.Note("end of the allocator");
		}
	}
}

namespace Sparrow.Threading
{
	public enum SharedMultipleUseFlag { None }
}

namespace Voron.Exceptions { class None { } }

namespace Voron.Util.Settings
{
	public class VoronPathSetting
	{
		public readonly string Path;

		public VoronPathSetting(string path) { Path = path; }

		public VoronPathSetting Combine(string name)
		{
			return new VoronPathSetting(Path + "/" + name);
		}
	}
}

namespace Voron.Impl.FileHeaders
{
	public struct FileHeader { public int Number; }
}

namespace Voron.Impl.Journal
{
	public class WriteAheadJournal
	{
		public readonly JournalApplicator Applicator = new JournalApplicator();

		public class JournalApplicator
		{
			public void ApplyLogsToDataFile(CancellationToken token, TimeSpan wait)
			{
				StandIn.Call("ApplyLogsToDataFile", "{0}", wait);
			}

			public class SyncOperation : IDisposable
			{
				public SyncOperation(JournalApplicator of) { }
				public void SyncDataFile() { StandIn.Call("SyncDataFile"); }
				public void Dispose() { StandIn.Note("end of the sync"); }
			}
		}
	}
}

namespace Voron
{
	public enum TransactionsMode { Lazy = 1, Safe = 2, Danger = 4 }

	public unsafe struct SliceContent { public byte* Ptr; }

	public unsafe struct Slice
	{
		public SliceContent Content;
		public int Size;
		public string Name;

		static Slice Of(byte* bytes, int size, string name)
		{
			return new Slice {
				Content = new SliceContent { Ptr = bytes }, Size = size, Name = name
			};
		}

		public static ByteStringContext.InternalScope From(ByteStringContext c, string name,
			ByteStringType type, out Slice slice)
		{
			slice = Of(null, name.Length, name);
			return new ByteStringContext.InternalScope();
		}

		public static ByteStringContext.InternalScope External(ByteStringContext c, byte* bytes,
			int size, out Slice slice)
		{
			slice = Of(bytes, size, StandIn.Text(bytes, size));
			return new ByteStringContext.InternalScope();
		}

		public static Slice Record()
		{
			return Of(StandIn.Key, 16, "");
		}
	}

	public static class Slices
	{
		public static readonly Slice BeforeAllKeys = new Slice { Name = "before all" };
		public static readonly Slice AfterAllKeys = new Slice { Name = "after all" };
	}

	public unsafe struct ValueReader
	{
		public byte* Base;
		public int Length;
	}

	public class ReadResult { public ValueReader Reader; }

	public class Pager
	{
		public void Sync(long n) { StandIn.Call("DataPager.Sync", "{0}", n); }
	}

	public unsafe abstract class StorageEnvironmentOptions
	{
		public long InitialLogFileSize, MaxLogFileSize, MaxNumberOfPagesInJournalBeforeFlush;
		public long MaxScratchBufferSize = 1015;
		public int PageSize = 1016;
		public TransactionsMode TransactionsMode = TransactionsMode.Safe;
		public readonly Pager DataPager = new Pager();

		// --fail=headers.one:1: there is none
		public bool ReadHeader(string name, FileHeader* header)
		{
			StandIn.Note("ReadHeader {0}", name);
			return !StandIn.Fails(name) && !StandIn.Fails("headers");
		}

		public virtual void WriteHeader(string name, FileHeader* header)
		{
			StandIn.Call("WriteHeader", name);
		}

		public class DirectoryStorageEnvironmentOptions : StorageEnvironmentOptions
		{
			public DirectoryStorageEnvironmentOptions(VoronPathSetting path,
				VoronPathSetting temp, VoronPathSetting journals, object a, object b)
			{
				StandIn.Note("options {0}, {1}, {2}", path.Path, temp.Path, journals.Path);
			}
		}
	}

	public class EnvironmentStats
	{
		public long UsedDataFileSizeInBytes = 1011, AllocatedDataFileSizeInBytes = 1012,
			NextWriteTransactionId = 1013;
	}

	public unsafe class StorageEnvironment : IDisposable
	{
		public readonly StorageEnvironmentOptions Options;
		public readonly WriteAheadJournal Journal = new WriteAheadJournal();

		public StorageEnvironment(StorageEnvironmentOptions o)
		{
			FileHeader header;

			Options = o;
			StandIn.Call("StorageEnvironment", "initial {0}, most {1}, pages {2}",
				o.InitialLogFileSize, o.MaxLogFileSize,
				o.MaxNumberOfPagesInJournalBeforeFlush);
			o.WriteHeader("headers.one", &header);
		}

		public void SetTransactionMode(TransactionsMode mode, TimeSpan duration)
		{
			StandIn.Call("SetTransactionMode", "{0} for {1}", mode, duration);
			Options.TransactionsMode = mode;
		}

		static string Given(object o) { return o == null ? "none" : "one"; }

		public Transaction ReadTransaction(TransactionPersistentContext c = null,
			ByteStringContext allocator = null)
		{
			StandIn.Call("ReadTransaction", "context {0}, allocator {1}", Given(c),
				Given(allocator));
			return new Transaction("read");
		}

		public Transaction WriteTransaction(TransactionPersistentContext c = null,
			ByteStringContext allocator = null, TimeSpan? timeout = null)
		{
			StandIn.Call("WriteTransaction", "context {0}, allocator {1}, {2}", Given(c),
				Given(allocator), timeout);
			return new Transaction("write");
		}

		public EnvironmentStats Stats() { return new EnvironmentStats(); }

		public void Dispose()
		{
			FileHeader header;

			Options.WriteHeader("headers.two", &header);
			StandIn.Call("Dispose");
		}
	}
}

namespace Voron.Impl
{
	public class TransactionPersistentContext { }

	public class LowLevelTransaction
	{
		public bool IsLazyTransaction { set { StandIn.Note("lazy {0}", value); } }
	}

	public class Transaction : IDisposable
	{
		readonly string kind;
		public readonly LowLevelTransaction LowLevelTransaction = new LowLevelTransaction();

		public Transaction(string kind) { this.kind = kind; }

		public Tree ReadTree(string name)
		{
			StandIn.Call("ReadTree", name);
			return new Tree();
		}

		public Tree ReadTree(Slice name) { return ReadTree(name.Name); }

		public Tree CreateTree(string name)
		{
			StandIn.Call("CreateTree", name);
			return new Tree();
		}

		public void Commit() { StandIn.Call("Commit"); }
		public void Dispose() { StandIn.Note("end of the {0} transaction", kind); }
	}
}

namespace Voron.Data.BTrees
{
	public class TreeMutableState
	{
		public long NumberOfEntries = 1001, BranchPages = 1003, LeafPages = 1004,
			OverflowPages = 1005;
		public int Depth = 1002;
	}

	public unsafe class Tree
	{
		public readonly TreeMutableState State = new TreeMutableState();
		readonly byte* room = (byte*)Marshal.AllocHGlobal(1000);

		static ValueReader Value()
		{
			return new ValueReader { Base = StandIn.Value, Length = 30 };
		}

		public ReadResult Read(Slice key)
		{
			StandIn.Call("Read", key.Name);
			return StandIn.Fails("missing") ? null : new ReadResult { Reader = Value() };
		}

		public IDisposable DirectAdd(Slice key, int length, out byte* to)
		{
			StandIn.Call("DirectAdd", "{0}, {1} bytes", key.Name, length);
			to = room;
			return new ByteStringContext.InternalScope();
		}

		public void Delete(Slice key)
		{
			StandIn.Call("Delete", key.Name);
			State.NumberOfEntries -= StandIn.Fails("missing") ? 0 : 1;
		}

		public TreeIterator Iterate(bool prefetch)
		{
			StandIn.Call("Iterate", "{0}", prefetch);
			return new TreeIterator();
		}

		public class Cursor { }

		public static ValueReader Found() { return Value(); }
	}

	public class TreeIterator : IDisposable
	{
		static bool There(string name, string key = "")
		{
			StandIn.Call(name, key);
			return !StandIn.Fails("missing");
		}

		public bool Seek(Slice key) { return There("Seek", key.Name); }
		public bool MoveNext() { return There("MoveNext"); }
		public bool MovePrev() { return There("MovePrev"); }
		public Slice CurrentKey { get { return Slice.Record(); } }
		public ValueReader CreateReaderForCurrent() { return Tree.Found(); }
		public void Dispose() { StandIn.Note("end of the scan"); }
	}
}
