#!/bin/sh
# Guess: the ports of HdrHistogram give the same percentiles of the same recorded values.
#
# Truth: of 1..160 the 99th percentile is 159 in Java from 2.1.12 and in JavaScript (the rank,
# 158.4, is rounded up), 158 in Java 2.1.9 and earlier, Go and Python (rounded to the nearest). In
# a tail neighbouring ranks differ by factors: p99 of one log depends on who reads it.
#
# Version: org.hdrhistogram 2.1.9, 2.1.12, 2.2.2; hdr-histogram-js 3.0.1; hdrhistogram-go 1.4.0;
# hdrhistogram (PyPI) 0.10.8
# Seen: 158 159 159 159 158 158, in this order
set -eu
for tool in java javac mvn node npm go python3; do
    command -v "$tool" >/dev/null || { echo "hdrhistogram-rank: needs $tool" >&2; exit 2; }
done
dir=$(mktemp -d)
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT
cd "$dir"
{
    for version in 2.1.9 2.1.12 2.2.2; do
        mvn -q org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy \
            -Dartifact="org.hdrhistogram:HdrHistogram:$version" -DoutputDirectory=.
    done
    npm install --silent hdr-histogram-js@3.0.1
    python3 -m venv venv
    venv/bin/pip install -q hdrhistogram==0.10.8
    go mod init rank
    go get github.com/HdrHistogram/hdrhistogram-go@v1.4.0
} >log 2>&1 || { cat log >&2; exit 2; }
cat >Rank.java <<'END'
import org.HdrHistogram.Histogram;

public class Rank {
    public static void main(String[] none) {
        Histogram h = new Histogram(3600000000L, 3);
        for (long i = 1; i <= 160; i++)
            h.recordValue(i);
        System.out.println(h.getValueAtPercentile(99));
    }
}
END
cat >rank.js <<'END'
const h = require("hdr-histogram-js").build({ numberOfSignificantValueDigits: 3 });
for (let i = 1; i <= 160; i++)
    h.recordValue(i);
console.log(h.getValueAtPercentile(99));
END
cat >rank.go <<'END'
package main

import (
	"fmt"

	hdr "github.com/HdrHistogram/hdrhistogram-go"
)

func main() {
	h := hdr.New(1, 3600000000, 3)
	for i := int64(1); i <= 160; i++ {
		h.RecordValue(i)
	}
	fmt.Println(h.ValueAtPercentile(99))
}
END
cat >rank.py <<'END'
from hdrh.histogram import HdrHistogram

h = HdrHistogram(1, 3600000000, 3)
for i in range(1, 161):
    h.record_value(i)
print(h.get_value_at_percentile(99))
END
seen=$({
    for version in 2.1.9 2.1.12 2.2.2; do
        javac -cp "HdrHistogram-$version.jar" Rank.java
        java -cp "HdrHistogram-$version.jar:." Rank
    done
    node rank.js
    go run rank.go
    venv/bin/python rank.py
} | paste -s -d ' ')
echo "Java 2.1.9, 2.1.12, 2.2.2, JavaScript, Go, Python: $seen"
[ "$seen" = '158 159 159 159 158 158' ] ||
    { echo "hdrhistogram-rank: other values" >&2; exit 1; }
