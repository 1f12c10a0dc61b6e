#!/bin/sh
# Guess: who asks a runtime to sleep for 100 microseconds sleeps for 100, and some 60 more by
# Linux's timer slack and the switches. An open loop in any language can so keep a rate of 5000/s.
#
# Truth: so it is in Java's parkNanos, and in Python. time.Sleep of a Go program that does nothing
# else, and Java 17's Thread.sleep, take a millisecond: both wait by calls that count milliseconds,
# rounded up. .NET's Thread.Sleep of such a TimeSpan rounds down, and returns at once.
#
# Version: Go 1.26.8, OpenJDK 17.0.15, .NET Core 3.1.23 (PyPI dotnetcore2), Python 3.11, Linux 6.18
# Seen: medians of parkNanos, Java's Thread.sleep, Python, Go, .NET: 159 1073 155 1071 0
set -eu
for tool in go java mcs python3; do
    command -v "$tool" >/dev/null || { echo "sleep-100us: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
python3 -m pip install -q --disable-pip-version-check --no-deps --target net \
    dotnetcore2==3.1.23 >log 2>&1 || { cat log >&2; exit 2; }
cat >sleep.go <<'END'
package main

import (
	"fmt"
	"slices"
	"time"
)

func main() {
	took := make([]int64, 301)
	for i := range took {
		began := time.Now()
		time.Sleep(100 * time.Microsecond)
		took[i] = time.Since(began).Microseconds()
	}
	slices.Sort(took)
	fmt.Print(took[150], " ")
}
END
cat >Sleep.java <<'END'
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

class Sleep {
    interface Wait { void run() throws Exception; }

    static long median(Wait wait) throws Exception {
        long[] took = new long[301];
        for (int i = 0; i < took.length; i++) {
            long began = System.nanoTime();
            wait.run();
            took[i] = System.nanoTime() - began;
        }
        Arrays.sort(took);
        return took[150] / 1000;
    }

    public static void main(String[] arguments) throws Exception {
        System.out.print(median(() -> LockSupport.parkNanos(100000)) + " "
            + median(() -> Thread.sleep(0, 100000)));
    }
}
END
cat >sleep.cs <<'END'
using System;
using System.Diagnostics;
using System.Threading;

static class Program {
    static void Main() {
        var took = new long[301];
        for (int i = 0; i < took.Length; i++) {
            long began = Stopwatch.GetTimestamp();
            Thread.Sleep(TimeSpan.FromTicks(1000)); // of 100 ns each
            took[i] = (Stopwatch.GetTimestamp() - began) * 1000000 / Stopwatch.Frequency;
        }
        Array.Sort(took);
        Console.Write(took[150]);
    }
}
END
cat >sleep.py <<'END'
import time
took = []
for i in range(301):
    began = time.perf_counter_ns()
    time.sleep(100e-6)
    took.append(time.perf_counter_ns() - began)
print("", sorted(took)[150] // 1000, end=" ")
END
go run sleep.go >go.seen
java Sleep.java >java.seen
python3 sleep.py >python.seen
mcs -out:sleep.dll sleep.cs
net=$(find "$dir/net" -name dotnet -type f)
chmod +x "$net"
echo '{"runtimeOptions": {"framework": {"name": "Microsoft.NETCore.App", "version": "3.1.0"}}}' \
    >sleep.runtimeconfig.json
DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1 "$net" exec sleep.dll >dotnet.seen
seen=$(cat java.seen python.seen go.seen dotnet.seen)
echo "medians of parkNanos, Java's Thread.sleep, Python, Go, .NET: $seen"
echo "$seen" | awk '{ exit !($1 < 600 && $2 > 900 && $3 < 600 && $4 > 900 && $5 < 50) }' ||
    { echo "sleep-100us: $seen" >&2; exit 1; }
