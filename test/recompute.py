"""recompute.py DIRECTORY PUBLISHED: the figures of a reproduction's page, once more from its rows.

Shares no code with the page. Reads rows.json and the tables of PUBLISHED, and makes of them what
tables.md and claims.json say: each cell of a table and the numbers and orders of the claims. Prints
what differs, how many cells and claims were held to their rows, and cells that it knows no formula
for; exit status 1 if there is either.
"""

import csv
import json
import math
import re
import statistics
import sys

directory, published = sys.argv[1:3]
meta = json.load(open(directory + "/meta.json"))
document = meta["document"]
ROWS = [r for r in map(json.loads, open(directory + "/rows.json")) if r["valid"] == 1]
for row in ROWS:
    row["label"] = row.get("label") or row["engine"]
CLAIMS = {c["id"]: c for c in map(json.loads, open(directory + "/claims.json"))}
wrong, cells, unknown = [], 0, []


def table(name):
    def number(text):
        if text == "":
            return None
        return float(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else text

    with open(f"{published}/{name}.csv") as file:
        return [{k: number(v) for k, v in row.items()} for row in csv.DictReader(file)]


def of(rows, label=None, **conditions):
    return [
        r
        for r in rows
        if (label is None or r["label"] == label)
        and all(r.get(k) == v for k, v in conditions.items())
    ]


def values(rows, figure):
    found = []
    for row in rows:
        try:
            value = figure(row)
        except (TypeError, ZeroDivisionError, KeyError):
            continue
        if value is not None:
            found.append(value)
    return found


def median(rows, figure):
    found = values(rows, figure)
    return statistics.median(found) if found else None


# ---- a cell: a number or three, with its unit; how far off its last digit allows
UNITS = {
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "KiB": 1,
    "MiB": 1024,
    "GiB": 1048576,
    "TiB": 1073741824,
    "s": 1,
    "%": 1,
    "": 1,
}


def read_number(text):
    clock = re.fullmatch(r"(\d+):(\d\d):(\d\d)", text)
    if clock:
        hours, minutes, seconds = map(int, clock.groups())
        return hours * 3600 + minutes * 60 + seconds, 0.51
    found = re.fullmatch(r"(-?[\d,]*\.?\d+) ?([A-Za-z%]*)", text)
    if not found or found[2] not in UNITS:
        return None
    digits = found[1].replace(",", "")
    unit = UNITS[found[2]]
    # zeros at the end are dropped: three digits count, of seconds hundredths, of percents none
    value = float(digits)
    least = {"%": 0, "s": 2}.get(found[2], 0 if value >= 100 else 1 if value >= 10 else 2)
    decimals = max(len(digits.partition(".")[2]), least)
    return float(digits) * unit, unit * 0.51 * 10**-decimals


def near(text, value):
    number = read_number(text)
    return number is not None and abs(number[0] - value) <= number[1] + 1e-9 * abs(value)


def check(where, text, found):
    """A cell against the values of its rows."""
    global cells
    cells += 1
    if not found:
        if text not in ("-", ""):
            wrong.append(f"{where}: {text}, and no row has it")
        return
    said = re.fullmatch(r"~?(.+?)(?: \((.+?)–(.+?)\)( !)?)?[?]?", text)
    expected = [statistics.median(found)] + ([min(found), max(found)] if said and said[2] else [])
    if not said or not all(near(t, v) for t, v in zip(said.groups()[:3], expected)):
        wrong.append(f"{where}: {text}, its rows {expected}")
    elif (
        said[2] is None
        and len(found) > 1
        and not (near(said[1], min(found)) and near(said[1], max(found)))
    ):
        wrong.append(f"{where}: {text} without its range {min(found)} to {max(found)}")
    elif said[2] and (said[4] is not None) != (min(found) > 0 and max(found) > 2 * min(found)):
        wrong.append(f"{where}: {text}, marked wrongly")


def sections():
    heading, sub, lines = "", "", []
    for line in [*open(directory + "/tables.md").read().split("\n"), "## end"]:
        if line.startswith("|"):
            lines.append([c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]])
            continue
        if len(lines) > 2:
            yield heading + (": " + sub if sub else ""), lines[0], lines[2:]
        lines = []
        if line.startswith("## "):
            heading, sub = line[3:], ""
        elif line.startswith("### "):
            sub = line[4:]


OURS = {
    "LevelDB": "leveldb",
    "RocksDB": "rocksdb",
    "RocksDBpfx": "rocksdb+prefix_size=8",
    "LMDB": "lmdb",
    "BerkeleyDB": "bdb",
    "WiredTiger": "wiredtiger",
    "WiredBtree": "wiredtiger",
    "WiredLSM": "wiredtiger+type=lsm",
    "Basho": "basho",
    "Hyper": "hyperleveldb",
    "TokuDB": "tokudb",
    "UnumDB": "unumdb",
    "Redis": "redis",
}


def there_2014():
    for r in table("symas-2014-results"):
        yield dict(r, label=OURS[r["engine"]])


def columns_2014(heading, line, names):
    label = line[0]
    if heading.startswith("Load"):
        if line[1] == "there":
            return of(list(there_2014()), label), [
                lambda r: r["load_wall_s"],
                lambda r: r["load_user_s"],
                lambda r: r["load_sys_s"],
                lambda r: (r["load_user_s"] + r["load_sys_s"]) / r["load_wall_s"],
                lambda r: r["load_size_kb"],
            ]
        return of(ROWS, label, experiment="load"), [
            lambda r: r["seconds"],
            lambda r: r["user_s"],
            lambda r: r["sys_s"],
            lambda r: (r["user_s"] + r["sys_s"]) / r["seconds"],
            lambda r: r["db_disk_kb"],
        ]
    if heading.startswith("Run"):
        if line[1] == "there":
            return of(list(there_2014()), label), [
                lambda r: r["writes_per_sec"],
                lambda r: r["reads_per_sec"],
                lambda r: r["run_cpu_percent"],
                lambda r: r["final_size_kb"],
                lambda r: r["process_size_kb"],
            ]
        experiment = "run" if "16" in line[1] else "run-cores"
        return of(ROWS, label, experiment=experiment), [
            lambda r: r["writes_per_sec"],
            lambda r: r["reads_per_sec"],
            lambda r: r["cpu_percent"],
            lambda r: r["db_disk_kb"],
            lambda r: r["peak_rss_kb"] or r["rss_kb"],
        ]
    if heading.startswith("Where ours"):
        return None, [(of(ROWS, label, experiment="load"), lambda r: r["peak_writes_per_sec"])] + [
            (of(ROWS, label, experiment="run"), f)
            for f in (
                lambda r: r["peak_writes_per_sec"],
                lambda r: r["rss_anon_kb"],
                lambda r: r["fairness"],
                lambda r: r["read_p50_ns"] / 1000,
                lambda r: r["read_p99_ns"] / 1000,
            )
        ]
    if heading.startswith("Context"):
        experiment = {"a reader a core": "run-cores", "16 readers": "run"}.get(
            heading.split(": ")[1], "run-small"
        )
        return of(ROWS, label, experiment=experiment), [
            lambda r: r["ctx_voluntary"],
            lambda r: r["ctx_involuntary"],
            lambda r: r["ctx_voluntary"] / r["reads"] * 1e6 if r["reads"] else None,
        ]
    if heading.startswith("Readers"):
        rows = of(ROWS, "leveldb", experiment="run-" + label)
        return rows, [
            lambda r: r["reads_per_sec"],
            lambda r: r["writes_per_sec"],
            lambda r: r["fairness"],
            "thread " + ", ".join(str(int(t)) for t in sorted({r["lead_thread"] for r in rows})),
            lambda r: r["lead_share"] * 100,
        ]


def there_2018():
    for r in table("symas-2018-load"):
        storage = (
            "raw"
            if r["filesystem"] == "none"
            else "ext4"
            if r["journal"] == 1
            else "ext4-nojournal"
        )
        yield {
            "label": OURS[r["engine"]],
            "storage": storage,
            "medium": r["device"].lower(),
            "seconds": r["load_wall_s"],
            "user_s": r["load_user_s"],
            "sys_s": r["load_sys_s"],
            "cpu_percent": r["load_cpu_percent"],
            "ctx_voluntary": r["voluntary_switches"],
            "ctx_involuntary": r["involuntary_switches"],
            "db_disk_kb": r["db_size_kb"],
            "fs_in_blocks": r["fs_in_blocks"],
            "fs_out_blocks": r["fs_out_blocks"],
            "fs_out_per_write": r["write_amp_blocks_per_record"],
            "key_size": 16,
            "value_size": 4000,
        }


def columns_2018(heading, line, names):
    def form(r):
        return r["label"].split(":")[0]

    if heading.startswith("Loading"):
        rows = [
            r
            for r in list(there_2018()) + of(ROWS, experiment="load")
            if [form(r), r["storage"], r["medium"]] == line[:3]
        ]
        if "time" in heading:
            return rows, [None] + [
                (lambda r, k=k: r[k])
                for k in (
                    "seconds",
                    "user_s",
                    "sys_s",
                    "cpu_percent",
                    "ctx_voluntary",
                    "ctx_involuntary",
                )
            ]
        return rows, [
            None,
            lambda r: r["db_disk_kb"],
            lambda r: r["fs_in_blocks"],
            lambda r: r["fs_out_blocks"],
            lambda r: r["fs_out_per_write"],
            lambda r: r["fs_out_per_write"] * 512 / (r["key_size"] + r["value_size"]),
        ]
    if "by the number of readers" in heading:
        kind = heading.split()[0].lower() + "_per_sec"
        return None, [
            (
                [
                    r
                    for r in of(ROWS, experiment="run", storage=line[1], threads=int(n))
                    if form(r) == line[0]
                ],
                lambda r: r[kind],
            )
            for n in names[2:]
        ]


def columns_2013(heading, line, names):
    syncs = {"none": "none", "to the system": "async", "to the disk": "sync"}

    def whole(r):
        return r["whole_ops_per_sec"]

    def there(name, **c):
        return [
            {"label": "voron", "whole_ops_per_sec": r["ops_per_sec"]}
            for r in table("voron-2013-" + name)
            if all(r.get(k) == v for k, v in c.items())
        ]

    if heading.startswith("Filling"):
        experiment = "fill-single" if "each record" in heading else "fill"
        said = (
            there(
                "fill", flush={"none": "none", "async": "buffers", "sync": "full"}[syncs[line[0]]]
            )
            if experiment == "fill"
            else []
        )
        rows = of(ROWS, experiment=experiment, durability=syncs[line[0]])
    elif heading.startswith("The first"):
        said, rows = there("read"), []
    else:
        warm = int("warm" in heading or line[0].startswith("warm"))
        parts = re.search(r"(\d+) part", line[0])
        name = "read-" + ("warm" if warm else "cold")
        if "own keys" in heading:
            said, rows = [], of(ROWS, experiment="parallel-default", warm=warm, parts=int(parts[1]))
        elif parts:
            said, rows = (
                there(name, parts=float(parts[1])),
                of(ROWS, experiment="parallel", warm=warm, parts=int(parts[1])),
            )
        else:
            said, rows = there(name, parts=None), of(ROWS, experiment="read", warm=warm)
    return None, [(said, whole)] + [(of(rows, name), whole) for name in names[2:]]


def columns_2012(heading, line, names):
    test = "D2-program" if "surviving" in heading else "D" + re.match(r"Test (\w+)", heading)[1]
    side = names[0].split("s/s")[0]
    x = int(line[0].replace(",", ""))

    def rate(r):
        return (
            r["ops_per_sec"]
            if r["side"] == side
            else r[side + "s_per_sec"]
            if r["side"] == "mix"
            else None
        )

    return None, [(of(ROWS, name, experiment=test, x=x), rate) for name in names[1:]]


TESTS = {
    "bulk load": ("bulk", 5e6),
    "individual writes": ("single", 1e3),
    "batch writes": ("batches", 1e5),
    "random range reads": ("ranges", 5e5),
}


def columns_2025(heading, line, names):
    reads = re.match(r"random reads, (\d+) thread", line[0])
    threads = int(reads[1]) if reads else 1
    experiment = "reads" if reads else TESTS.get(line[0], ("",))[0]
    if heading.endswith("there"):
        done = (1e6 if threads == 1 else 5101000) if reads else TESTS[line[0]][1]
        return None, [
            (
                [
                    r
                    for r in table("redb-2025-times")
                    if r["engine"] == name
                    and r["test"] == line[0].split(",")[0]
                    and r["threads"] == threads
                    and r["pass"] != 1
                ],
                lambda r: done / r["wall_s"],
            )
            for name in names[1:]
        ]
    if heading.endswith("here"):
        called = {"sqlite": "sqlite+journal=delete+cache_size=2000Ki", "sqlite tuned": "sqlite"}
        return None, [
            (
                of(ROWS, called.get(name, name), experiment=experiment, threads=threads),
                lambda r: r["ops_per_sec"],
            )
            for name in names[1:]
        ]
    if heading.startswith("Size"):
        sizes = [
            [r for r in table("redb-2025-sizes") if r["engine"] == line[0] and r["size"] == size]
            for size in ("uncompacted", "compacted")
        ]
        return None, [
            (sizes[0], lambda r: r["mib"]),
            (sizes[1], lambda r: r["mib"]),
            (of(ROWS, line[0], experiment="ranges", threads=1), lambda r: r["db_disk_kb"] / 1024),
        ]


def ample(r):
    return (
        r["experiment"] not in list("CXEADY")
        or r.get("steady") == 1
        or (r.get("entries") or r["ops"]) >= 0.95 * min(r["num"], 1e6)
    )


def speed(r):
    return r.get("entries_per_sec") or r["ops_per_sec"]


def recorded(size, workload, label):
    return [
        r
        for r in table("unum-2022-sizes")
        if r["mode"] == "without_caches"
        and r["cores"] == 1
        and r["size_gb"] == size
        and str(r["workload"]).replace("0.0", "0") == workload
        and OURS[r["engine"]] == label
    ]


def columns_2022(heading, line, names):
    size = re.match(r"([\d.]+) GB", heading)
    size = float(size[1]) if size else None
    workload = heading[0]
    if re.match(r"[0ACDEXYZ]: ", heading):
        if line[1] == "there":
            rows = [r for r in table("unum-2022-" + workload) if OURS[r["engine"]] == line[0]]
            return rows, [
                lambda r: r["cpu_cores"],
                lambda r: r["ram_mib"] * 1024,
                lambda r: r["disk_gib"] * 1048576,
                lambda r: r["speed_per_sec"],
                "skip",
            ]
        return of([r for r in ROWS if r.get("size_gb") is None], line[0], experiment=workload), [
            lambda r: r["cores_used"],
            lambda r: r["rss_kb"],
            lambda r: r["db_disk_kb"],
            speed,
            "skip",
        ]
    if heading == "Places" or "orders that are otherwise" in heading:
        return None, ["skip"] * 8
    if heading.startswith("Beside"):
        return None, [
            (of([r for r in ROWS if r.get("size_gb") is None], line[0], experiment=name), speed)
            for name in names[1:]
        ]
    if "Entries" in heading:
        return None, [
            (
                "skip"
                if (rows := of(ROWS, name, experiment=line[0], size_gb=size))
                and all(r.get("steady") == 1 for r in rows)
                else (rows, lambda r: r.get("entries") or r["ops"])
            )
            for name in names[1:]
        ]
    if size is not None and line[1] == "there":
        return None, [
            (recorded(size, line[0], name), lambda r: r["operations_per_sec"]) for name in names[2:]
        ]
    if size is not None:
        for name, text in zip(names[2:], line[2:]):
            rows = of(ROWS, name, experiment=line[0], size_gb=size)
            if rows and text.startswith("~") == all(ample(r) for r in rows):
                wrong.append(f"{heading}, {line[0]}, {name}: {text}, its tilde is wrong")
        return None, [
            (of(ROWS, name, experiment=line[0], size_gb=size), speed) for name in names[2:]
        ]


FORMULAS = {
    "symas-2014": columns_2014,
    "symas-2018": columns_2018,
    "voron-2013": columns_2013,
    "bangdb-2012": columns_2012,
    "redb-2025": columns_2025,
    "unum-2022": columns_2022,
}
for heading, names, lines in sections():
    if names[-1] == "why":
        continue
    for line in lines:
        made = FORMULAS[document](heading, line, names)
        if made is None:
            unknown.append(f"{heading}: {line[0]}")
            continue
        rows, figures = made
        for text, name, figure in zip(
            line[-len(figures) :] if rows is not None else line[len(line) - len(figures) :],
            names[-len(figures) :],
            figures,
        ):
            where = f"{heading}, {line[0]}, {name}"
            if figure is None or figure == "skip":
                continue
            if isinstance(figure, str):
                cells += 1
                if text != figure:
                    wrong.append(f"{where}: {text}, not {figure}")
            elif isinstance(figure, tuple):
                check(where, text, values(figure[0], figure[1]))
            else:
                check(where, text, values(rows, figure))


# ---- the claims: for each part {name: value}, as the numbers must say them, and whether it holds
def show(x):
    def digits(y):
        n = 0 if abs(y) >= 100 else 1 if abs(y) >= 10 else 2
        return (
            re.sub(r"\.?0+$", "", f"{math.floor(y * 10**n + 0.5) / 10**n:.{n}f}")
            if n
            else str(math.floor(y + 0.5))
        )

    for least, unit, letter in ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")):
        if abs(x) >= least:
            return digits(x / unit) + letter
    return digits(x)


def quiet(rows):
    return [r for r in rows if (r.get("steal_percent") or 0) <= 3]


def ranked(rows, figure):
    labels = sorted({r["label"] for r in rows})
    found = {label: median(of(rows, label), figure) for label in labels}
    return {k: v for k, v in found.items() if v is not None}


def fastest(found):
    return max(found, key=found.get)


LSM = [
    "leveldb",
    "basho",
    "hyperleveldb",
    "rocksdb",
    "rocksdb+prefix_size=8",
    "wiredtiger+type=lsm",
]


def lineups(figure, holds, rows=None, skip=()):
    """Parts by line-up: a reader a core decides."""
    for name, experiment in (("a reader a core", "run-cores"), ("16 readers", "run")):
        found = ranked(
            [
                r
                for r in (rows or quiet(ROWS))
                if r["experiment"] == experiment and r["label"] not in skip
            ],
            figure,
        )
        yield name, found, holds(found)


def claims_2014():
    load = of(quiet(ROWS), experiment="load")
    overhead = ranked(load, lambda r: (r["user_s"] + r["sys_s"]) / r["seconds"])
    yield (
        "A1",
        [(None, overhead, [k for k, v in overhead.items() if abs(v - 1) <= 0.02] == ["lmdb"])],
    )
    trees = {k: overhead[k] for k in ("bdb", "wiredtiger")}
    yield "A2", [(None, trees, all(v < 0.6 for v in trees.values()))]

    def best(times):
        return lambda f: (
            fastest(f) == "lmdb"
            and all(f["lmdb"] >= times * v for k, v in f.items() if k != "lmdb")
        )

    def whole(r):
        return r["seconds"] + r["settle_seconds"] + r["close_seconds"]

    loads = {
        "all settled": ranked(load, lambda r: r["num"] / whole(r)),
        "LMDB without its sync, as there": ranked(
            load,
            lambda r: r["num"] / (whole(r) - (r["settle_seconds"] if r["engine"] == "lmdb" else 0)),
        ),
    }
    yield (
        "A3",
        [
            (
                name,
                of,
                fastest(of) == "lmdb"
                and all(2 * v <= of["lmdb"] for k, v in of.items() if k in LSM),
            )
            for name, of in loads.items()
        ],
    )
    puts, done = (median(of(load, "wiredtiger"), f) for f in (lambda r: r["seconds"], whole))
    yield "A6", [(None, {"": puts, "s of": done}, done >= 2 * puts)]
    yield (
        "A9",
        lineups(
            lambda r: r["busy_cpu_percent"] / min(r["threads"], r["cores"]),
            lambda f: f["lmdb"] >= 95 and all(v < 95 for k, v in f.items() if k != "lmdb"),
        ),
    )
    yield "A10", lineups(lambda r: r["writes_per_sec"], best(1))
    yield "A11", lineups(lambda r: r["reads_per_sec"], best(10))
    for id, figure in (("A15", lambda r: r["ctx_voluntary"] / r["reads"] * 1e6),):
        parts = []
        for name, experiment in (
            ("a reader a core", "run-cores"),
            ("16 readers", "run"),
            ("the small database, 16 readers", "run-small"),
        ):
            rows = [r for r in of(ROWS, experiment=experiment) if r["engine"] != "null"]
            found, own = (
                ranked(rows, figure),
                ranked(rows, lambda r: r["ctx_voluntary"] / max(r["ctx_involuntary"], 1)),
            )
            parts.append(
                (
                    name,
                    found,
                    own["lmdb"] < 1
                    and all(
                        v >= 100 * found["lmdb"] and own[k] > 1
                        for k, v in found.items()
                        if k != "lmdb"
                    ),
                )
            )
        yield id, parts

    def grown(experiment):
        before = ranked(of(ROWS, experiment="load"), lambda r: r["db_disk_kb"])
        after = ranked(of(ROWS, experiment=experiment), lambda r: r["db_disk_kb"])
        return {k: after[k] / before[k] for k in before}

    yield (
        "A17",
        [
            (name, grown(x), abs(grown(x)["lmdb"] - 1) <= 0.03)
            for name, x in (("a reader a core", "run-cores"), ("16 readers", "run"))
        ],
    )
    keep = ("basho", "bdb", "tokudb", "wiredtiger")
    yield (
        "A19",
        lineups(
            lambda r: (r["peak_rss_kb"] or r["rss_kb"]) * 1024 / r["cache_bytes"],
            lambda f: all((v <= 1.5) == (k in keep) for k, v in f.items()),
            ROWS,
            ("lmdb",),
        ),
    )
    size = ranked(of(ROWS, experiment="load"), lambda r: r["db_disk_kb"] * 1024 / (r["num"] * 116))
    yield "A23", [(None, size, size["lmdb"] <= 1.05)]
    store = ranked(load, lambda r: (r["user_s"] + r["sys_s"]) * 1e6 / r["num"])

    def least(f):
        return min(f, key=f.get) == "lmdb" == min(store, key=store.get)

    yield (
        "A24",
        lineups(
            lambda r: (r["user_s"] + r["sys_s"]) * 1e6 / (r["reads_per_sec"] * r["seconds"]), least
        ),
    )

    peaks = lineups(
        lambda r: r["peak_writes_per_sec"], lambda f: all(f[k] > f["lmdb"] for k in LSM if k in f)
    )
    over = lineups(
        lambda r: r["peak_writes_per_sec"] / r["writes_per_sec"],
        lambda f: all(f[k] >= 1.5 for k in LSM if k in f),
    )
    yield (
        "A14",
        [
            (
                name,
                [
                    (k, f[k])
                    for f, names in ((peak, [*LSM, "lmdb"]), (mean, LSM))
                    for k in names
                    if k in f
                ],
                higher and falls,
            )
            for (name, peak, higher), (_, mean, falls) in zip(peaks, over)
        ],
    )
    small = of(quiet(ROWS), "lmdb", experiment="run-small")
    null = of(quiet(ROWS), "null", experiment="run-small")
    switches = {
        who: median(rows, lambda r: r["ctx_voluntary"] / r["seconds"])
        for who, rows in (("LMDB", small), ("that does nothing", null))
    }
    yield "A16", [(None, switches, switches["LMDB"] <= 2 * switches["that does nothing"])]
    if all(r["threads"] <= r["cores"] for r in small):
        mean, busy = (
            median(small, lambda r: r["reads_per_sec"]),
            median(small, lambda r: r["busy_reads_per_sec"]),
        )
        yield "A12", [(None, {"mean": mean, "while all threads read": busy}, mean < busy)]
        each, late = (
            median(small, lambda r: r["thread_per_sec_all"]),
            median(small, lambda r: r["thread_per_sec_late"]),
        )
        yield "A13", [(None, {"a thread": each}, late > each)]
    steps = {
        k: v
        for k, v in ranked(load, lambda r: r["step_times"]).items()
        if k in ("lmdb", "wiredtiger")
    }
    yield "A4", [(None, {"to": None}, all(v >= 1.1 for v in steps.values()))]
    parts = []
    for name, experiment in (("a reader a core", "run-cores"), ("16 readers", "run")):
        rows = of(ROWS, "lmdb", experiment=experiment)
        process, database = (
            median(rows, lambda r: r["peak_rss_kb"] or r["rss_kb"]),
            median(rows, lambda r: r["db_disk_kb"]),
        )
        parts.append(
            (name, {"process": process, "database": database}, abs(process / database - 1) <= 0.05)
        )
    yield "A18", parts
    lead = {
        g: median(of(quiet(ROWS), "leveldb", experiment="run-" + g), lambda r: r["lead_share"])
        for g in ("minstd", "default")
    }
    yield (
        "A20",
        [
            (
                None,
                {"has": lead["minstd"] * 100},
                lead["minstd"] >= 2 / 16 and lead["default"] <= 1.1 / 16 * 1.5,
            )
        ],
    )


def claims_2018():
    load = of(ROWS, experiment="load")
    plain = [r for r in load if "+" not in r["label"] and r["engine"] in ("lmdb", "rocksdb")]
    blocks = ranked(plain, lambda r: r["fs_out_per_write"])
    yield (
        "B7",
        [
            (
                None,
                blocks,
                min(v for k, v in blocks.items() if "rocksdb" in k)
                > max(v for k, v in blocks.items() if "lmdb" in k),
            )
        ],
    )
    raw = median(of(load, "lmdb:raw"), lambda r: r["fs_out_blocks"])
    more = ranked(
        [r for r in plain if r["engine"] == "lmdb" and r["storage"] != "raw"],
        lambda r: (r["fs_out_blocks"] / raw - 1) * 100,
    )
    yield "B1", [(None, more, all(abs(v / 25 - 1) <= 0.1 for v in more.values()))]
    switches = ranked(plain, lambda r: r["ctx_voluntary"])
    yield (
        "B21",
        [
            (
                None,
                switches,
                2 * max(v for k, v in switches.items() if "rocksdb" in k)
                < min(v for k, v in switches.items() if "lmdb" in k),
            )
        ],
    )

    bare = of(load, "lmdb:raw")
    yield "B4", [(None, {}, 1 <= median(bare, lambda r: r["ctx_voluntary"] / r["writes"]) <= 1.05)]
    yield (
        "B5",
        [
            (
                None,
                {},
                abs(median(bare, lambda r: r["fs_in_blocks"] / r["fs_out_blocks"]) - 1) <= 0.01,
            )
        ],
    )
    grown = {}
    for label in {r["label"] for r in load if r["db_disk_kb"]}:
        runs = of(ROWS, label, experiment="run")
        after = [
            median(of(runs, threads=n), lambda r: r["db_disk_kb"])
            for n in {r["threads"] for r in runs}
        ]
        if any(after):
            grown[label] = max(filter(None, after)) / median(
                of(load, label), lambda r: r["db_disk_kb"]
            )
    yield "B18", [(None, grown, all(v <= 1.05 for v in grown.values()))]

    calm = quiet(plain)
    time = {
        s: median(of(calm, "lmdb:" + s), lambda r: r["seconds"])
        for s in ("raw", "ext4", "ext4-nojournal")
    }
    for claim, other in (("B2", "ext4-nojournal"), ("B3", "raw")):
        yield claim, [(None, {"loop": time[other] / time["ext4"]}, time[other] > time["ext4"])]
    used = ranked(calm, lambda r: r["cpu_percent"])
    yield "B11", [(None, used, all(v <= 102 if "lmdb" in k else v > 100 for k, v in used.items()))]
    kernel = ranked(calm, lambda r: r["sys_s"] / (r["user_s"] + r["sys_s"]))
    yield "B22", [(None, kernel, min(kernel.values()) >= 0.3)]

    runs = of(quiet(ROWS), experiment="run")

    def writes(s, n):
        return median(of(runs, "lmdb:" + s, threads=n), lambda r: r["writes_per_sec"])

    pairs = [
        (n, {s: writes(s, n) for s in ("raw", "ext4")})
        for n in sorted({r["threads"] for r in runs})
    ]
    yield (
        "B14",
        [
            ("1 reader" if n == 1 else f"{n} readers", of_both, of_both["raw"] > of_both["ext4"])
            for n, of_both in pairs
        ],
    )

    def best(label):
        return max(
            median(of(runs, label, threads=n), lambda r: r["reads_per_sec"])
            for n in {r["threads"] for r in of(runs, label)}
        )

    forms = ("lmdb", "lmdb+readahead=0")
    yield (
        "B17",
        [
            (
                form,
                {"lmdb": best(form + ":ext4"), "rocksdb": best("rocksdb:ext4")},
                best(form + ":ext4") > best("rocksdb:ext4"),
            )
            for form in forms
        ],
    )
    yield (
        "B20",
        [
            (
                form,
                {"lmdb": best(form + ":raw"), "the device itself": best("aio:raw")},
                best(form + ":raw") >= 0.5 * best("aio:raw"),
            )
            for form in forms
        ],
    )


def claims_2013():
    def whole(r):
        return r["whole_ops_per_sec"]

    def rows(experiment, **c):
        return of(ROWS, "voron", experiment=experiment, **c)

    def at(experiment, **c):
        return median(rows(experiment, **c), whole)

    fills = {d: at("fill", durability=d) for d in ("none", "async", "sync")}
    yield "C1", [(None, fills, max(fills.values()) / min(fills.values()) <= 1.2)]
    two = at("parallel", warm=0, parts=2)
    found = {
        "over reading whole": two / at("read", warm=0),
        "over one part": two / at("parallel", warm=0, parts=1),
    }
    yield "C3", [(None, found, all(v >= 1.8 for v in found.values()))]
    found = {f"{n} parts": at("parallel", warm=0, parts=n) for n in (2, 4, 8, 16)}
    near = all(abs(found[f"{n} parts"] / found["4 parts"] - 1) <= 0.15 for n in (8, 16))
    yield "C4", [(None, found, found["4 parts"] < found["2 parts"] and near)]
    most = {}
    for x in ("fill", "read", "parallel"):
        groups = {}
        for r in rows(x):
            groups.setdefault((r.get("durability"), r.get("warm"), r.get("parts")), []).append(r)
        most[x] = max(
            median(group, lambda r: (1 - r["whole_ops_per_sec"] / r["ops_per_sec"]) * 100)
            for group in groups.values()
        )
    yield "C7", [(None, most, all(v <= 20 for v in most.values()))]
    each = {d: at("fill-single", durability=d) for d in ("none", "sync")}
    found = {
        "in one transaction": fills["none"] / fills["sync"],
        "with one for each record": each["none"] / each["sync"],
    }
    all_in_one, of_each = found.values()
    yield "C9", [(None, found, of_each >= 2 and all_in_one < 2)]


def claims_2012():
    def rate(r):
        return r["ops_per_sec"]

    def most(test, label, side):
        rows = of(ROWS, label, experiment=test, side=side)
        return median([r for r in rows if r["x"] == max(q["x"] for q in rows)], rate)

    def over(label, side):
        return {
            n: median(of(ROWS, label, experiment="D4", side=side, x=n), rate) for n in (1, 2, 4, 8)
        }

    def threads_of(rates):
        return {f"{n} thread{'s' if n > 1 else ''}": v for n, v in rates.items()}

    threads = threads_of(over("leveldb", "write"))
    yield "D2", [(None, threads, all(threads["1 thread"] >= 0.95 * v for v in threads.values()))]
    reads = threads_of(over("leveldb", "read"))
    yield "D3", [(None, reads, reads["2 threads"] >= 0.9 * max(reads.values()))]
    ratio = most("D3", "bdb", "write") / most("D2", "bdb", "write")
    yield "D5", [(None, {"": ratio}, ratio < 0.5)]
    near = {}
    for side in ("write", "read"):
        for label in sorted({row["label"] for row in ROWS if row["experiment"] == "D4"}):
            if (side, label) != ("write", "leveldb"):
                rates = over(label, side)
                near[f"{label} {side}s"] = [
                    n for n, v in sorted(rates.items()) if v >= 0.9 * max(rates.values())
                ]
    yield (
        "D4",
        [
            (
                None,
                [(" ".join(map(str, [k, *v[:-1]])), v[-1]) for k, v in near.items()],
                all(any(1 < n <= 4 for n in v) for v in near.values()),
            )
        ],
    )
    up = {
        side: median(of(ROWS, "bdb", experiment="D4", side=side, x=2), rate)
        / median(of(ROWS, "bdb", experiment="D4", side=side, x=1), rate)
        for side in ("read", "write")
    }
    yield (
        "D6",
        [
            (
                None,
                {"reads are": up["read"], "writes": up["write"]},
                up["read"] >= 1.5 and up["read"] > up["write"] > 1,
            )
        ],
    )
    curves = {}
    for test in ("D1", "D2", "D3"):
        for side in ("write", "read"):
            for label in {"bdb", "leveldb"} & {
                r["label"] for r in of(ROWS, experiment=test, side=side)
            }:
                rows = of(ROWS, label, experiment=test, side=side)
                rates = [median(of(rows, x=x), rate) for x in {r["x"] for r in rows}]
                if len(rates) > 1:
                    curves[f"{test} {label} {side}s"] = max(rates) / min(rates)
    apart = {k: v for k, v in curves.items() if v > 1.25}
    yield (
        "D9",
        [
            (
                None,
                dict(sorted(apart.items(), key=lambda kv: -kv[1])[:1]),
                len(apart) > len(curves) / 2,
            )
        ],
    )

    def program(engine):
        rows = [r for r in of(ROWS, experiment="D2-program", side="read") if r["engine"] == engine]
        return median([r for r in rows if r["x"] == max(q["x"] for q in rows)], rate)

    both = {"settings: bdb": most("D2", "bdb", "read"), "program's: bdb": program("bdb")}
    yield (
        "D11",
        [
            (
                None,
                both,
                (both["settings: bdb"] > most("D2", "leveldb", "read"))
                != (both["program's: bdb"] > program("leveldb")),
            )
        ],
    )

    def trends(test, side):
        sizes = {
            size: {e: most(test + s, e, side) for e in ("bdb", "leveldb")}
            for size, s in (("large", ""), ("small", "s"))
        }
        return {f"{size} {fastest(f)}": max(f.values()) for size, f in sizes.items()}, len(
            {fastest(f) for f in sizes.values()}
        ) == 1

    yield (
        "D12",
        [
            (f"{test} {side}s", *trends(test, side))
            for test in ("D1", "D2")
            for side in ("write", "read")
        ],
    )
    disk = {}
    for label in {r["label"] for r in of(ROWS, experiment="D1")} - {"bdb"}:
        rows = of(ROWS, label, experiment="D1", side="write")
        disk[label] = median(
            [r for r in rows if r["x"] == max(q["x"] for q in rows)],
            lambda r: r["db_disk_kb"] * 1024 / r["ops"] * 1e5 / 1e6,
        )
    yield "D10", [(None, disk, all(abs(v / 50 - 1) <= 0.25 for v in disk.values()))]


def claims_2025():
    """Of LMDB, RocksDB and SQLite, which the claims name."""
    settings = (
        ("SQLite with the cache and journal of there", "sqlite+journal=delete+cache_size=2000Ki"),
        ("SQLite tuned", "sqlite"),
    )

    def order(experiment, figure=lambda r: r["ops_per_sec"], threads=1):
        for name, label in settings:
            rows = [
                dict(r, label="sqlite" if r["label"] == label else r["label"])
                for r in of(quiet(ROWS), experiment=experiment, threads=threads)
                if r["engine"] in ("lmdb", "rocksdb") or r["label"] == label
            ]
            yield name, ranked(rows, figure)

    for id, experiment, names in (
        ("G4", "bulk", "lmdb rocksdb sqlite"),
        ("G5", "single", "lmdb rocksdb sqlite"),
        ("G6", "batches", "rocksdb lmdb sqlite"),
    ):
        yield (
            id,
            [
                (name, f, sorted(f, key=f.get, reverse=True) == names.split())
                for name, f in order(experiment)
            ],
        )
    yield (
        "G9",
        [
            (name, f, fastest(f) == "lmdb" and min(f, key=f.get) == "rocksdb")
            for name, f in order("ranges", lambda r: r["db_disk_kb"])
        ],
    )

    def lines(pairs, holds):
        for i, (name, _) in enumerate(settings):
            found = {(x, n): list(order(x, threads=n))[i][1] for x, n in pairs}
            yield name, {label: v for f in found.values() for label, v in f.items()}, holds(found)

    every = [("ranges", 1)] + [("reads", n) for n in (1, 4, 8, 16, 32)]
    yield "G3", lines(every, lambda found: all(fastest(f) == "lmdb" for f in found.values()))

    def more(found):
        curve = {
            e: [found["reads", n][e] for n in (4, 8, 16, 32)] for e in ("lmdb", "rocksdb", "sqlite")
        }
        return all(
            (b < a) if e == "sqlite" else (b > a)
            for e, c in curve.items()
            for a, b in zip(c, c[1:])
        )

    yield (
        "G7",
        [
            (name, {}, holds)
            for name, _, holds in lines([("reads", n) for n in (4, 8, 16, 32)], more)
        ],
    )


def claims_2022():
    sizes = [("memory for a tenth", None), ("100 MB", 0.1), ("1 GB", 1), ("10 GB", 10)]
    for id, workload, names in (
        ("E4", "A", "leveldb wiredtiger rocksdb"),
        ("E23", "D", "wiredtiger rocksdb leveldb"),
        ("E24", "X", "rocksdb wiredtiger leveldb"),
        ("E25", "Y", "rocksdb wiredtiger leveldb"),
    ):
        parts = []
        for name, size in sizes:
            rows = [
                r
                for r in quiet(ROWS)
                if r.get("size_gb") == size
                and r["experiment"] == workload
                and r["label"] in names.split()
                and (size is None or ample(r))
            ]
            found = ranked(rows, speed)
            parts.append(
                (
                    name,
                    found,
                    sorted(found, key=found.get, reverse=True) == names.split()
                    if len(found) == 3
                    else None,
                )
            )
        yield id, parts
    theirs = ("leveldb", "rocksdb", "wiredtiger", "lmdb", "redis", "lmdb+readahead=0")

    def rates(size, workload, labels=theirs, cold=True):
        return ranked(
            [
                r
                for r in quiet(ROWS)
                if r.get("size_gb") == size
                and r["experiment"] == workload
                and r["label"] in labels
                and (size is None or ample(r))
            ],
            speed,
        )

    def by_size(decide):
        return [(name, *decide(size)) for name, size in sizes]

    def bulk(size):
        zero, batches = (
            rates(size, "0", ("rocksdb", "wiredtiger")),
            rates(size, "Y", ("rocksdb", "wiredtiger")),
        )
        found = {k: zero[k] / batches[k] for k in zero if k in batches}
        return found, all(v >= 2 for v in found.values())

    yield "E1", by_size(bulk)

    def rivals(size):
        found = {w: rates(size, w, ("leveldb", "rocksdb")) for w in "ZACDX"}
        return {k: v for f in found.values() for k, v in f.items()}, all(
            f and fastest(f) == ("leveldb" if w == "Z" else "rocksdb") for w, f in found.items()
        )

    yield "E2", by_size(rivals)

    def reads(size):
        found = rates(size, "C", ("leveldb", "wiredtiger", "rocksdb"))
        return found, sorted(found, key=found.get, reverse=True) == [
            "rocksdb",
            "wiredtiger",
            "leveldb",
        ]

    yield "E5", by_size(reads)

    def most_used(size):
        rows = [
            r
            for r in quiet(ROWS)
            if r.get("size_gb") == size
            and r["label"] in ("leveldb", "rocksdb", "wiredtiger")
            and (size is None or ample(r))
        ]
        first = {
            f: [
                fastest(ranked(of(rows, experiment=w), lambda r: r[f]))  # noqa: B023
                for w in "0ACDEXYZ"
            ]
            for f in ("cores_used", "rss_kb")
        }
        return {}, all(f.count("wiredtiger") >= 6 for f in first.values())

    yield "E3", by_size(most_used)
    ordered = {
        f"{w} {k}": rates(None, w)[k] / v
        for w in "CE"
        for k, v in rates(None, w + "-permuted").items()
    }
    yield "E7", [(None, ordered, 2 * sum(v >= 1.8 for v in ordered.values()) >= len(ordered))]

    def singly(size):
        one, zero = rates(size, "0-single"), rates(size, "0")
        found = {k: zero[k] / v for k, v in one.items()}
        return found, all(v >= 2 for v in found.values()) if found else None

    yield "E22", by_size(singly)
    process = {
        f"{label} in {w}": median(
            of(
                [r for r in ROWS if r.get("size_gb") is None and r["engine"] == "lmdb"],
                label,
                experiment=w,
            ),
            lambda r: r["rss_kb"] / r["memory_limit_kb"],
        )
        for w in "CZ"
        for label in ("lmdb", "lmdb+readahead=0")
    }
    yield "E8", [(None, process, all(0.5 <= v <= 1.05 for v in process.values()))]

    def trees(size):
        found = {w: rates(size, w, theirs[:5]) for w in "0ACDEXYZ"}
        first = {f"{w} {fastest(f)}": max(f.values()) for w, f in found.items() if f}
        return first, not any(k.endswith(("lmdb", "wiredtiger")) for k in first)

    yield "E14", by_size(trees)

    def batches(size):
        one, many = rates(size, "C"), rates(size, "X")
        found = {k: many[k] / one[k] for k in many if k in one}
        return found, all(v > 1 for v in found.values())

    yield "E15", by_size(batches)

    def places(size):
        found = {w: rates(size, w, theirs[:5]) for w in "0CDEXZ"}
        place = {
            w: sorted(f, key=f.get, reverse=True).index("lmdb") + 1
            for w, f in found.items()
            if "lmdb" in f
        }
        return {}, sum(place[w] == len(found[w]) for w in place) * 2 > len(place)

    yield "E19", by_size(places)


told, held = 0, set()
decided = any(c["ours"]["verdict"] != "open" for c in CLAIMS.values())
for id, parts in (
    ()
    if not decided
    else {
        "symas-2014": claims_2014,
        "symas-2018": claims_2018,
        "voron-2013": claims_2013,
        "bangdb-2012": claims_2012,
        "redb-2025": claims_2025,
        "unum-2022": claims_2022,
    }[document]()
):
    side = CLAIMS[id]["ours"]
    held.add(id)
    for name, found, holds in parts:
        part = [p for p in side["parts"] if p["name"] == name]
        if not part:
            wrong.append(f"{id}: no part {name}")
            continue
        part = part[0]
        if part["verdict"] == "open":
            continue
        told += 1
        if part["verdict"] != ("holds" if holds else "fails"):
            wrong.append(f"{id} {name or ''}: {part['verdict']}, and its rows {found}")
        for label, value in found if isinstance(found, list) else found.items():
            if value is not None and (label + " " + show(value)).strip() not in part["numbers"]:
                wrong.append(
                    f"{id} {name or ''}: {label} {show(value)} is not in {part['numbers']}"
                )

unknown += [
    f"claim {id}" for id, c in CLAIMS.items() if c["ours"]["verdict"] != "open" and id not in held
]
print(f"{document}: {cells} cells and {told} parts of claims held to {len(ROWS)} rows")
for line in wrong + ["no formula: " + line for line in unknown]:
    print(line)
sys.exit(1 if wrong or unknown else 0)
