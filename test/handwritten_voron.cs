// handwritten_voron.cs: gets of Voron by hand, each in a read transaction, as the driver's.
using System;
using System.Runtime.InteropServices;
using Sparrow;
using Sparrow.Threading;
using Voron;
using Voron.Data.BTrees;
using Voron.Impl;

namespace Handwritten
{
	public static unsafe class Loop
	{
		static StorageEnvironment env;

		public static void Open(byte* path)
		{
			env = new StorageEnvironment(StorageEnvironmentOptions.ForPath(
				Marshal.PtrToStringUTF8((IntPtr)path)));
		}

		public static void Close()
		{
			env.Dispose();
		}

		static long Sum(byte* at, int size)
		{
			long sum = 0;

			for (; size >= 8; at += 8, size -= 8)
				sum += *(long*)at;
			for (; size > 0; size--)
				sum += *at++;
			return sum;
		}

		public static long Read(byte* keys, long count, long keySize)
		{
			var context = new TransactionPersistentContext();
			var allocator = new ByteStringContext(SharedMultipleUseFlag.None);
			long sum = 0;
			Slice name, key;

			Slice.From(allocator, "records", ByteStringType.Immutable, out name);
			for (long i = 0; i < count; i++)
				using (Transaction tx = env.ReadTransaction(context, allocator))
				{
					Tree tree = tx.ReadTree(name);

					using (Slice.External(allocator, keys + i * keySize, (int)keySize,
						out key))
					{
						ReadResult found = tree.Read(key);

						sum += Sum(found.Reader.Base, found.Reader.Length);
					}
				}
			return sum;
		}
	}
}
