// calls.cs: each call of the contract once or twice, as test/calls.c has them, of the assembly
// of Voron's driver.
using System;
using System.Runtime.InteropServices;
using Assay;

public static unsafe class Program
{
	static readonly string[] results = { "DONE", "NOT_FOUND", "CONFLICT", "FULL", "UNSUPPORTED",
		"FAILED" };
	static readonly byte* why = (byte*)Marshal.AllocHGlobal(256);
	static readonly byte* value = (byte*)Marshal.AllocHGlobal(100);
	// of three records at most
	static readonly Bytes* key = (Bytes*)Marshal.AllocHGlobal(48),
		found = (Bytes*)Marshal.AllocHGlobal(48);
	static readonly byte* text = (byte*)Marshal.AllocHGlobal(1000);
	static readonly long* handle = (long*)Marshal.AllocHGlobal(8);
	static readonly uint* count = (uint*)Marshal.AllocHGlobal(4);
	static readonly Settings* settings = (Settings*)Marshal.AllocHGlobal(sizeof(Settings));
	static long store, session;

	static int Print(string name, Func<int> call)
	{
		Console.WriteLine(name);
		*why = 0;
		int status = call();
		string words = Marshal.PtrToStringAnsi((IntPtr)why);
		Console.WriteLine("= " + results[status] + (words == "" ? "" : ": " + words));
		return status;
	}

	static byte* Key(int number)
	{
		return (byte*)Marshal.StringToHGlobalAnsi(number.ToString("D16"));
	}

	static int Scan(string name, Func<int> call)
	{
		int status = Print(name, call);

		if (status == Status.Done)
			StandIn.Note("key {0}, value {1}", StandIn.Text(key->Data, key->Size),
				StandIn.Text(found->Data, found->Size));
		return status;
	}

	static void Get(string name, int number)
	{
		if (Print(name, () => Calls.Get(session, Key(number), 16, found)) == Status.Done)
			StandIn.Note("value {0}", StandIn.Text(found->Data, found->Size));
	}

	static int Put(string name, int number)
	{
		return Print(name, () => Calls.Put(session, Key(number), 16, value, 100));
	}

	static int Del(string name, int number)
	{
		return Print(name, () => Calls.Del(session, Key(number), 16));
	}

	static int Seek(string name, byte* from)
	{
		return Scan(name, () => Calls.Seek(session, from, 16, key, found));
	}

	static int Next(string name)
	{
		return Scan(name, () => Calls.Next(session, key, found));
	}

	static int Prev(string name)
	{
		return Scan(name, () => Calls.Prev(session, key, found));
	}

	static int Last(string name)
	{
		return Scan(name, () => Calls.Last(session, key, found));
	}

	static void Write()
	{
		Put("put", 1);
		Del("delete", 2);
		if (Print("begin", () => Calls.Begin(session)) == Status.Done &&
			Put("put in a batch", 3) == Status.Done &&
			Del("delete in a batch", 4) <= Status.NotFound)
		{
			Get("get in a transaction", 3);
			Print("commit", () => Calls.Commit(session));
		}
		Print("rollback", () => Calls.Rollback(session));
		if (Print("begin", () => Calls.Begin(session)) == Status.Done)
			Put("put in a batch", 6);
		Print("rollback", () => Calls.Rollback(session));
		Print("rollback of nothing", () => Calls.Rollback(session));
	}

	static void Read()
	{
		Get("get", 1);
		Seek("seek the first", null);
		if (Seek("seek", Key(2)) == Status.Done)
		{
			Next("next");
			*count = 3;
			Print("next, several", () => Calls.NextMany(session, key, found, count));
			StandIn.Note("{0} records", *count);
			Prev("prev");
		}
		Last("last");
		Print("release", () => Calls.Release(session));
		Print("snapshot", () => Calls.Snapshot(session));
		Get("get", 1);
		Seek("seek", Key(1));
		Print("release", () => Calls.Release(session));
		Get("get of what is new", 1);
	}

	static void Report(string name, Func<int> call)
	{
		if (Print(name, call) != Status.Done)
			return;
		for (byte* at = text; *at != 0; at += Marshal.PtrToStringAnsi((IntPtr)at).Length + 1)
			StandIn.Note("{0}", Marshal.PtrToStringAnsi((IntPtr)at));
	}

	static void With(bool all)
	{
		if (Print("open", () => Calls.Open(settings, handle, why)) != Status.Done)
			return;
		store = *handle;
		if (Print("attach", () => Calls.Attach(store, handle, why)) == Status.Done)
		{
			session = *handle;
			if (all)
			{
				Write();
				Read();
				Print("settle", () => Calls.Settle(store, why));
				Report("describe", () => Calls.Describe(store, text, 1000, why));
				Report("statistics", () => Calls.Statistics(store, text, 1000, why));
			}
			Print("detach", () => Calls.Detach(session));
		}
		Print("close", () => Calls.Close(store, why));
	}

	public static void Main(string[] arguments)
	{
		Settings s = new Settings { Size = sizeof(Settings), Create = 1, InitialLog = 1001,
			MaxLog = 1002, JournalPages = 1003, Program = (IntPtr)1004,
			Path = (byte*)Marshal.StringToHGlobalAnsi("/nowhere") };

		foreach (string a in arguments)
			if (a.StartsWith("--fail="))
				StandIn.Failing = a.Substring(7).Split(':');
			else if (a.StartsWith("--durability="))
				s.Durability = (Level)Array.IndexOf(new[] { "none", "async", "sync" },
					a.Substring(13));
			else if (a.StartsWith("--size="))
				s.Size = int.Parse(a.Substring(7));
		*settings = s;
		With(true);
		settings->Create = 0;
		With(false);
	}
}
