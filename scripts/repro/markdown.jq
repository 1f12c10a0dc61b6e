# markdown.jq: what comes before each NAME.jq. NAME.jq is one expression; it answers, by $what:
#   rows    the published figures as rows, objects with document, experiment, engine and our column names
#   tables  the lines of tables.md, strings
# and may use $tables[0] (every table of results/published: {name: [row, ...]}), and with `tables` also $rows (ours),
# $missing[0] ([{engine, reason}]) and $meta[0].

include "rows";
include "numbers";

# rows of a published table; a number of statements.csv
def table($name): $tables[0][$name] // error("no table \($name)") | .[];
def statement($id): [table("statements") | select(.id == $id)][0].number // error("no statement \($id)");

# our name of an engine of a publication
def ours: {LevelDB: "leveldb", RocksDB: "rocksdb", RocksDBpfx: "rocksdb", LMDB: "lmdb", BerkeleyDB: "bdb", BDB: "bdb",
	WiredTiger: "wiredtiger", WiredBtree: "wiredtiger", WiredLSM: "wiredtiger+type=lsm", Basho: "basho",
	Hyper: "hyperleveldb", HyperLevelDB: "hyperleveldb", TokuDB: "tokudb", BangDB: "bangdb", UnumDB: "unumdb",
	Voron: "voron"}[.] // ascii_downcase;

# a time
def clock: if . == null then "-" else
	def two: floor | tostring | if length < 2 then "0" + . else . end;
	if . >= 60 then round | "\(. / 3600 | floor):\(. % 3600 / 60 | two):\(. % 60 | two)"
	else (. * 100 | round / 100 | tostring) + " s" end end;

# the interval of a column of rows that repeat each other, beside their median
def spread(column): map(column) | interval | plus_minus;

# rows of cells as a Markdown table; the first is the header. Columns of words (numbers of columns from 0) go left.
def cell: if . == null then "-" else tostring | gsub("[|]"; "\\|") | gsub("\n"; " ") end;
def markdown($header; $left; rows):
	def line: "| " + (map(cell) | join(" | ")) + " |";
	($header | line),
	"|" + ([range($header | length) | if IN($left[]) then ":--" else "--:" end] | join("|")) + "|",
	(rows | line), "";
