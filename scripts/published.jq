# published.jq: what the tables of results/published come to; run by published.sh, which says what is printed.
# A relation is a statement of a document with a figure for each row that can bear it out: what the row says
# (said), what its own counters come to (value), and whether they agree. No figure of a document stands here.

include "numbers";

def cell: if . == "" then null elif test("^-?[0-9]+([.][0-9]+)?$") then tonumber else . end;

# {table: [row, ...]}, a row being {column: number, text or null}
def tables:
	[inputs | {table: input_filename | sub(".*/"; "") | rtrimstr(".csv"), cells: split(",")}] |
	group_by(.table) | map(.[0].cells as $names | {key: .[0].table, value: [.[1:][].cells as $cells |
		[range($names | length) | {key: $names[.], value: ($cells[.] | cell)}] | from_entries]}) | from_entries;

# how near is near enough
def truncated($said): . > $said - 0.005 and . < $said + 1; # time(1) drops what follows the point of a percentage
def rounded($said; $digit): . - $said | fabs <= $digit * 0.501;
def equal($said): . / $said - 1 | fabs <= 0.001;
def about($said): . / $said - 1 | fabs <= 0.1; # a number in a sentence

def figure($row; $said; $value; agrees): {row: $row, said: $said, value: $value, agrees: ($value | agrees)};

tables as $tables |
def rows($table): $tables[$table] // error("no table \($table)") | .[];
def one($table; condition): [rows($table) | select(condition)] |
	if length == 1 then .[0] else error("\(length) rows of \($table) where one is meant") end;
def statement($id): one("statements"; .id == $id);
def number($id): statement($id).number;

def relation($id; $file; figures): statement($id) + {figures: [figures]} |
	{id, document, file: $file, says: .statement, number, unit, rows: (.figures | length),
		agree: (.figures | map(select(.agrees)) | length), figures};

def cpu_percent($user; $sys; $wall; $said): figure(.engine; $said; ($user + $sys) / $wall * 100; truncated($said));

def symas_2014:
	relation("A.overhead"; "symas-2014-results.csv"; rows("symas-2014-results") | .load_overhead as $said |
		figure(.engine; $said; (.load_user_s + .load_sys_s) / .load_wall_s; rounded($said; 1e-10))),
	# the reads that were done, in every row, and whether that is all of them in the time if and only if it is LMDB
	relation("A7"; "symas-2014-results.csv"; number("A.reads") as $reads | number("A.cap") as $cap |
		rows("symas-2014-results") | . as $row |
		figure(.engine; null; .reads_per_sec * .run_wall_s;
			(. >= 0.99 * $reads and $row.run_wall_s <= $cap) == ($row.engine == "LMDB"))),
	# The digits of writes and reads run together: of the ways to part them those that give the hours of the text.
	relation("A8"; "symas-2014-hours.csv"; number("A.reads") as $reads | rows("symas-2014-hours") | . as $row |
		one("symas-2014-results"; .engine == $row.engine) | "\(.writes_per_sec)\(.reads_per_sec)" as $digits |
		[range(1; $digits | length) | $digits[.:] | select(startswith("0") | not) | tonumber] as $possible |
		figure("\(.engine) of \($possible | length)"; null; [$possible[] |
			select($reads / . / 3600 | truncated($row.all_reads_hours))] | length;
			. == 1 and ($possible | length) > 1)),
	relation("A8.weeks.bdb"; "symas-2014-hours.csv"; number("A8.weeks.bdb") as $said |
		one("symas-2014-hours"; .engine == "BerkeleyDB") | figure(.engine; $said; .all_reads_hours / 168; truncated($said))),
	relation("A8.weeks.rocksdb"; "symas-2014-hours.csv"; number("A8.weeks.rocksdb") as $said |
		one("symas-2014-hours"; .engine == "RocksDBpfx") | figure(.engine; $said; .all_reads_hours / 168; about($said))),
	relation("A17"; "statements.csv"; number("A17") as $said |
		figure("records"; $said; number("A.records") * (number("A.key") + number("A.value")) / 1e9; about($said))),
	# LevelDB's db_bench, and what was made from it: RocksDB's has a generator of its own
	relation("A20"; "symas-2014-offsets.csv"; rows("symas-2014-followers") |
		select(.engine != "RocksDBpfx") | .readers as $told | .engine as $engine |
		one("symas-2014-results"; .engine == $engine) | (.writes_per_sec * .run_wall_s) as $draws |
		figure(.engine; $told; [rows("symas-2014-offsets") | select(.draws_ahead < $draws)] | length; . == $told)),
	relation("F2"; "symas-2014-results.csv"; rows("symas-2014-results") |
		cpu_percent(.run_user_s; .run_sys_s; .run_wall_s; .run_cpu_percent));

def symas_2018:
	"symas-2018-load" as $load | number("B.records") as $records |
	def named: "\(.engine) \(.device)" + if .filesystem == "none" then " raw"
		else " \(.filesystem) \(if .journal == 1 then "journal" else "no journal" end)" end;
	relation("B.cpu"; "\($load).csv"; rows($load) | .engine = named |
		cpu_percent(.load_user_s; .load_sys_s; .load_wall_s; .load_cpu_percent)),
	relation("B.amp"; "\($load).csv"; rows($load) | .write_amp_blocks_per_record as $said |
		figure(named; $said; .fs_out_blocks / $records; rounded($said; 1e-7))),
	relation("B.size"; "\($load).csv"; number("B.size") as $said | rows($load) | select(.db_size_kb != null) |
		figure(named; $said; .db_size_kb / 1048576; about($said))),
	relation("B.ratio"; "\($load).csv"; number("B.ratio") as $said | number("B.ram") as $ram |
		rows($load) | select(.db_size_kb != null) | figure(named; $said; .db_size_kb / 1048576 / $ram; about($said))),
	relation("B1"; "\($load).csv"; rows($load) | select(.filesystem == "none") as $raw | number("B1") as $said |
		rows($load) | select(.filesystem != "none" and .engine == $raw.engine and .device == $raw.device) |
		figure(named; $said; (.fs_out_blocks / $raw.fs_out_blocks - 1) * 100; about($said))),
	relation("F3"; "\($load).csv"; number("F3.block") as $block | (number("B.key") + number("B.value")) as $record |
		rows($load) | .write_amp_blocks_per_record as $said |
		figure(named; $said; .fs_out_blocks * $block / ($records * $record); about($said)));

def voron_2013:
	relation("C.key"; "statements.csv"; number("C.key") as $said |
		figure("its program"; $said; number("C.key.code"); . == $said)),
	relation("C.rate"; "voron-2013-*.csv"; number("C.entries") as $entries |
		("fill", "read", "read-cold", "read-warm") as $name | rows("voron-2013-" + $name) |
		.ops_per_sec as $said | .wall_s as $time | # cut to milliseconds
		figure("\($name): \(.test)"; $said; $entries / $time; . >= $said and $entries / ($time + 0.001) <= $said)),
	relation("C3"; "voron-2013-read-cold.csv"; number("C3") as $said |
		# the sentence is about the first of its two tables
		"voron-2013-read-cold" as $table | one($table; .parts == 2) as $two |
		rows($table) | select(.parts == null or .parts == 1) |
		figure("cold over \(.test)"; $said; $two.ops_per_sec / .ops_per_sec; about($said)));

def unum_2022:
	["0", "A", "C", "D", "E", "X", "Y", "Z"] as $workloads |
	def of($workload): rows("unum-2022-" + $workload) | .workload = $workload;
	def record: rows("unum-2022-record") | .workload |= tostring;
	def speeds($one; $other): of($one) | . as $row |
		.ratio = .speed_per_sec / (of($other) | select(.engine == $row.engine)).speed_per_sec;

	relation("E.rocksdb.lines"; "unum-2022-code.csv"; number("E.rocksdb.lines") as $said |
		one("unum-2022-code"; .engine == "RocksDB") | figure(.engine; $said;
			.code_and_tests_lines + .comments_lines + .wrappers_and_other_lines; . <= $said)),
	relation("E18"; "unum-2022-?.csv"; number("E.ram.most") as $most | of($workloads[]) |
		figure("\(.workload) \(.engine)"; null; .ram_mib / 1024 / .disk_gib * 100; . <= $most * 1.1)),
	# where it stands among the five of the record, by speed; LMDB has no figures of its own for Y, and A is one of F4's
	relation("E19"; "unum-2022-record.csv"; $workloads[] as $workload | select($workload | IN("A", "Y") | not) |
		[record | select(.workload == $workload)] | sort_by(-.operations_per_sec) | (map(.engine) | index("LMDB")) as $place |
		figure("\($workload): place of \(length)"; null; $place + 1; . == 5)),
	relation("E20"; "unum-2022-verbs.csv"; rows("unum-2022-verbs") | . as $row |
		figure(.engine; null; .batch_insert; . == if $row.engine | IN("LevelDB", "UnumDB") then 1 else 0 end)),
	relation("E22.sizes"; "unum-2022-sizes.csv"; number("E22.sizes") as $said |
		figure("rows"; $said; [rows("unum-2022-sizes")] | length; . == $said),
		(rows("unum-2022-record") | select(.entries_per_iteration != null) | . as $row |
		[rows("unum-2022-sizes") | select(.engine == $row.engine and .mode == "without_caches" and .cores == 1 and
			.size_gb == 1000 and (.workload | tostring) == ($row.workload | tostring))][0] |
		figure("\(.workload) \(.engine)"; $row.operations_per_sec; .operations_per_sec; equal($row.operations_per_sec)))),
	relation("E.durations"; "unum-2022-durations.csv"; one("unum-2022-durations"; .what == "total").duration_s as $said |
		("size", "engine") as $what | figure("over every \($what)"; $said;
			[rows("unum-2022-durations") | select(.what == $what).duration_s] | add; . == $said)),
	# a size is in the unit that leaves less than 1024 of it, a rate in thousands or millions
	relation("E.rounded"; "unum-2022-?.csv"; of($workloads[]) | . as $row |
		record | select(.engine == $row.engine and .workload == $row.workload) | . as $record |
		(["cpu_cores", .cpu_avg_percent / 100, 0.01],
		 ["ram_mib", .mem_avg_bytes / 1048576, if $row.ram_mib < 1024 then 0.01 else 10.24 end],
		 ["disk_gib", .disk_bytes / 1073741824, if $row.disk_gib < 1024 then 0.01 else 10.24 end],
		 ["speed_per_sec", .operations_per_sec, if $row.speed_per_sec < 1e6 then 100 else 1e5 end]) as [$name, $value, $digit] |
		figure("\($row.workload) \($row.engine) \($name)"; $row[$name]; $value; rounded($row[$name]; $digit))),
	relation("E12"; "unum-2022-?.csv"; $workloads[] as $workload |
		[of($workload)] | sort_by(-.speed_per_sec) | . as $rows |
		[range(length - 1) | $rows[.].speed_per_sec - $rows[. + 1].speed_per_sec] as $gaps |
		range(length) as $place | $rows[$place] |
		figure("\($workload) \(.engine) rank"; .rank; if $place < 3 then $place + 1 else null end; . == $rows[$place].rank),
		if .rank == null then empty else
			figure("\($workload) \(.engine) rosette"; .rosette;
				if $place == 0 and $gaps[0] > ($gaps[1:] | max) then 1 else 0 end; . == $rows[$place].rosette)
		end),
	# the same medals once more, so no claim counts them
	relation("E.medals"; "unum-2022-medals.csv"; of($workloads[]) | . as $row |
		[rows("unum-2022-medals") | select(.engine == $row.engine and (.workload | tostring) == $row.workload)][0] as $medal |
		figure("\(.workload) \(.engine) rank"; $medal.rank; .rank; . == $medal.rank),
		if .rank == null then empty else
			figure("\(.workload) \(.engine) rosette"; $medal.rosette; .rosette; . == $medal.rosette)
		end),
	relation("E1"; "unum-2022-0.csv unum-2022-Y.csv"; speeds("0"; "Y") | . as $row |
		one("unum-2022-verbs"; .engine == $row.engine) as $verbs |
		figure("\(.engine)\(if $verbs.initialize == 0 then " (has no bulk load)" else "" end)"; null; .ratio; . > 1)),
	# the tables print two digits of a million: the committed record has them all
	relation("E11"; "unum-2022-record.csv"; number("E11") as $said |
		$workloads[] as $workload | [of($workload).engine] as $engines |
		[record | select(.workload == $workload and (.engine | IN($engines[])))] | sort_by(-.operations_per_sec) |
		figure("\($workload): \(.[0].engine) over \(.[1].engine)"; $said;
			.[0].operations_per_sec / .[1].operations_per_sec; . >= $said)),
	relation("E15"; "unum-2022-X.csv unum-2022-C.csv"; speeds("X"; "C") | figure(.engine; null; .ratio; . > 1)),
	relation("F4"; "unum-2022-record.csv"; number("E.value.record") as $size | record | .operations_per_sec as $said |
		"\(.workload) \(.engine)" as $name |
		figure("\($name) by its bytes"; $said; .bytes_per_sec / $size; equal($said)),
		if .entries_per_iteration == null then empty else
			figure("\($name) by its time"; $said; .entries_per_iteration * (1 - .fails_percent / 100) / .real_time_us * 1e6;
				equal($said))
		end);

def redb_2025:
	relation("G.bold"; "redb-2025-*.csv";
		[rows("redb-2025-times"), rows("redb-2025-sizes")] | group_by([.test, .size, .threads, .pass])[] |
		map(.value = (.wall_s // .mib)) | map(select(.value != null)) | (map(.value) | min) as $least |
		.[] | select(.bold == 1) | figure("bold: \(.test // .size) \(.threads // "") \(.engine)"; null; .value; . == $least));

def text: .number as $number |
	def numbers: if .said == null or .said == $number then .value | plain
		else "says \(.said | plain), its counters \(.value | plain)" end;
	"\(.id)  \(.file)  says: \(.says)\(if .unit then " [\(if $number then "\($number) " else "" end)\(.unit)]" else "" end
		); comes to: \([.figures[] | select(.agrees | not) | "\(.row) \(numbers)"] +
			["\(.agree) of \(.rows) agree"] | join("; "))";

(symas_2014, symas_2018, voron_2013, unum_2022, redb_2025) | select($all or .agree < .rows) |
if $form == "json" then tojson else text end
