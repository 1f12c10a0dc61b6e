"""agree.py ROWS OUT HDR MERGED TIMELINE REPORT SUMMARY: values that a run gives twice are the same.

ROWS: --json of the run; OUT: its output with --histogram=1; HDR: --hdr; MERGED: hdrmerge's table of
--hdr_log; TIMELINE and REPORT: --timeline and --report_file; SUMMARY: summary.sh --all
--format=json of the rows. Each workload is run once. Prints what differs; exit status 1: something.
"""

import csv
import json
import math
import re
import sys

rows_file, out_file, hdr, merged_file, timeline_file, report_file, summary_file = sys.argv[1:]
rows = [json.loads(line) for line in open(rows_file)]
KINDS = [kind + end for kind in ("read", "write", "scan") for end in ("_resp", "")]
differences = 0
compared = 0


def same(what, one, other, relative=1e-9, absolute=0.0):
    global differences, compared
    compared += 1
    if (
        one is None
        or other is None
        or not math.isclose(one, other, rel_tol=relative, abs_tol=absolute)
    ):
        print(f"{what}: {one} and {other}")
        differences += 1


def kinds_of(row):
    return [kind for kind in KINDS if row[kind + "_max_ns"] is not None]


def calls(row, kind):
    return row[kind.removesuffix("_resp") + "s"]


def check_line(row, text):
    found = re.search(
        r"^"
        + re.escape(row["benchmark"])
        + r" +: +([\d.]+) micros/op (\d+) ops/sec ([\d.]+) seconds (\d+) operations",
        text,
        re.M,
    )
    mean, rate, seconds, ops = map(float, found.groups())
    same(f"{row['benchmark']}: micros/op of the line", mean, row["mean_us"], absolute=6e-4)
    same(f"{row['benchmark']}: ops/sec of the line", rate, row["ops_per_sec"], absolute=1.01)
    same(f"{row['benchmark']}: seconds of the line", seconds, row["seconds"], absolute=6e-4)
    same(f"{row['benchmark']}: operations of the line", ops, row["ops"])


# In the order of rows, and of kinds within each: response times first.
def check_histograms(text):
    blocks = iter(
        re.findall(
            r"^Microseconds per (\w+):\nCount: (\d+) Average: ([\d.]+)  StdDev: ([\d.]+)\n"
            r"Min: ([\d.]+)  Median: ([\d.]+)  Max: ([\d.]+)\n"
            r"Percentiles: P50: \S+ P75: \S+ P99: (\S+) P99.9: (\S+) P99.99: (\S+)",
            text,
            re.M,
        )
    )
    names = ("mean", "stddev", "min", "p50", "max", "p99", "p999", "p9999")
    for row in rows:
        for kind in kinds_of(row):
            block = next(blocks, ("nothing",) + ("nan",) * 9)
            if block[0] != kind:
                same(f"{row['benchmark']}: histogram of {kind}, which is of {block[0]}", None, None)
            same(
                f"{row['benchmark']}: calls in the histogram of {kind}",
                float(block[1]),
                calls(row, kind),
            )
            for name, value in zip(names, block[2:]):
                same(
                    f"{row['benchmark']}: {kind}_{name}_ns in the histogram",
                    float(value) * 1000,
                    row[f"{kind}_{name}_ns"],
                    absolute=6,
                )
    for block in blocks:
        same(f"a histogram of {block[0]} that no row has", None, None)


# The first kind of all has the file's own name.
def check_hdr():
    path = hdr
    for row in rows:
        for kind in kinds_of(row):
            path = path or f"{hdr}.{row['benchmark']}.{kind}"
            text = open(path).read()
            mean, stddev = map(
                float,
                re.search(r"#\[Mean *= *([\d.]+), StdDeviation *= *([\d.]+)\]", text).groups(),
            )
            most, total = map(
                float, re.search(r"#\[Max *= *([\d.]+), Total count *= *(\d+)\]", text).groups()
            )
            for name, value in (("mean", mean), ("stddev", stddev), ("max", most)):
                same(f"{path}: {kind}_{name}_ns", value, row[f"{kind}_{name}_ns"], absolute=0.11)
            same(f"{path}: calls", total, calls(row, kind))
            values = [
                (float(line.split()[0]), float(line.split()[1]))
                for line in re.findall(r"^ *\d.*$", text, re.M)
            ]
            median = [value for value, part in values if part == 0.5]
            if median:
                same(
                    f"{path}: median",
                    median[0],
                    row[kind + "_p50_ns"],
                    relative=0.008,
                    absolute=1.1,
                )
            if values[-1][0] > row[kind + "_max_ns"] + 0.11:
                same(f"{path}: largest value", values[-1][0], row[kind + "_max_ns"])
            path = None


def check_merged():
    merged = {line["tag"]: line for line in csv.DictReader(open(merged_file), delimiter="\t")}
    tags = set()
    for row in rows:
        for kind in kinds_of(row):
            tag = f"{row['label']}.{row['benchmark']}.{kind}"
            line = merged.get(tag)
            tags.add(tag)
            if line is None:
                same(f"the log has no {tag}", None, None)
                continue
            same(f"{tag}: calls", float(line["count"]), calls(row, kind))
            for name in ("mean", "p50", "p90", "p95", "p99", "p999", "p9999", "max"):
                # a middle of 1/128 of the value, in counts of 1/1024
                same(
                    f"{tag}: {name}",
                    float(line[f"{name}_ns"]),
                    row[f"{kind}_{name}_ns"],
                    relative=0.005,
                    absolute=1.1,
                )
    for tag in set(merged) - tags:
        same(f"the log has {tag}, which no row has", None, None)


def check_timeline(row):
    lines = [
        line
        for line in csv.DictReader(open(timeline_file), delimiter="\t")
        if line["benchmark"] == row["benchmark"] and line["thread"] == "all"
    ]
    same(
        f"{row['benchmark']}: operations of the timeline",
        sum(float(line["ops"]) for line in lines),
        row["ops"],
    )
    for kind in ("read", "write", "scan"):
        same(
            f"{row['benchmark']}: {kind}s of the timeline",
            sum(float(line[kind + "_ops"]) for line in lines),
            row[kind + "s"],
        )
    for kind in kinds_of(row):
        longest = [float(line[kind + "_max_ns"]) for line in lines if line[kind + "_max_ns"]]
        same(
            f"{row['benchmark']}: {kind}_max_ns of the timeline",
            max(longest, default=None),
            row[kind + "_max_ns"],
            relative=0.01,
            absolute=1.1,
        )


def check_report(row):
    lines = [
        line for line in csv.DictReader(open(report_file)) if line["benchmark"] == row["benchmark"]
    ]
    same(
        f"{row['benchmark']}: operations of the report",
        float(lines[-1]["total_ops"]) if lines else None,
        row["ops"],
    )
    for column, value in (
        ("interval_qps", row["ops"]),
        ("reads_per_sec", row["reads"]),
        ("writes_per_sec", row["writes"]),
    ):
        done = sum(float(line[column]) * float(line["interval_seconds"]) for line in lines)
        # rates are whole numbers, and seconds have six decimals
        same(
            f"{row['benchmark']}: {column} of the report, by seconds",
            done,
            value,
            relative=1e-3,
            absolute=2,
        )
    # a writer beside readers may end after them, on a busy machine by much
    same(
        f"{row['benchmark']}: seconds of the report",
        sum(float(line["interval_seconds"]) for line in lines),
        row["seconds"],
        relative=0.2,
        absolute=2,
    )


# "1.94 M" of one a second: its value, and half of its last digit.
def read_cell(text):
    number, unit = ([*text.split(" "), ""])[:2]
    scale = {
        "ns": 1,
        "us": 1e3,
        "ms": 1e6,
        "s": 1e9,
        "k": 1e3,
        "M": 1e6,
        "G": 1e9,
        "KiB": 1,
        "MiB": 1024,
        "GiB": 1 << 20,
        "": 1,
    }[unit]
    return float(number) * scale, 0.505 * scale / 10 ** len(number.partition(".")[2])


# Of reads, or scans if most operations are scans, or the first kind that there is; and writes apart
# where they are beside either.
def check_summary(row, tables):
    scans = row["scans"] * 2 > row["ops"]
    order = ("read", "scan", "write") if scans else ("read", "write", "scan")
    kind = next(kind for kind in order if row[kind + "_p99_ns"] is not None)
    paced = row["target_rate"] is not None
    call = "call " if paced else ""
    columns = {
        "ops/s": "ops_per_sec",
        call + "p50": kind + "_p50_ns",
        call + "p99": kind + "_p99_ns",
        call + "p99.9": kind + "_p999_ns",
        "CPU us/op": "cpu_us_per_op",
        "memory": "rss_kb" if row["memory_used_kb"] is None else "memory_used_kb",
    }
    if paced:
        columns["response p99"] = kind + "_resp_p99_ns"
    if kind != "write" and row["writes"] > 0:
        columns |= {"writes/s": "writes_per_sec", "write p99": "write_p99_ns"}
        if row["write_resp_p99_ns"] is not None:
            columns["write response p99"] = "write_resp_p99_ns"
    found = [
        table["lines"]
        for table in tables
        if (table["title"] + ",").startswith(f"{row['benchmark']}, {row['threads']} threads,")
    ]
    if len(found) != 1 or len(found[0]) != 2:
        same(f"{row['benchmark']}: tables of the summary", len(found), 1)
        return
    line = dict(zip(*found[0]))
    for title, column in columns.items():
        value, half = read_cell(line[title]) if title in line else (None, 0)
        same(f"{row['benchmark']}: {title} of the summary", value, row[column], absolute=half)
    if paced:
        same(
            f"{row['benchmark']}: rate met",
            float(line["rate met"].startswith("yes")),
            row["target_rate_met"],
        )
    same(
        f"{row['benchmark']}: limited by {line['limited by']}",
        float(line["limited by"].split(" ")[0] == row["bound_by"]),
        1.0,
    )


# Percentiles are in order, and none is beyond what was measured.
def check_order(row):
    for kind in kinds_of(row):
        values = [
            row[f"{kind}_{name}_ns"]
            for name in ("min", "p50", "p90", "p95", "p99", "p999", "p9999", "max")
        ]
        if values != sorted(values):
            same(f"{row['benchmark']}: {kind} is out of order: {values}", None, None)
        if not values[0] <= row[kind + "_mean_ns"] <= values[-1]:
            same(f"{row['benchmark']}: the mean of {kind} is outside: {values}", None, None)


text = open(out_file).read()
summary = json.load(open(summary_file))["tables"]
check_histograms(text)
check_hdr()
check_merged()
for row in rows:
    check_line(row, text)
    check_timeline(row)
    check_report(row)
    check_summary(row, summary)
    check_order(row)
print(f"{compared} values of {len(rows)} rows, {differences} differ")
sys.exit(differences > 0 or not rows)
