# empty.jq: whether each column of rows is empty where empty.tsv says so, and only there; for empty.sh and random.sh.
# `broken_rules` of an array of rows, the text of test/random/workloads.txt and what empty.sh --rules makes of empty.tsv, rows in the order in which one program wrote them: an object for each column of a valid row
# that breaks its rule. The words below are those of which empty.tsv is made; what is unknown is null, and breaks nothing.

# gojq makes a list of one text of an empty one.
def split($by): if . == "" then [] else . / $by end;

# Workloads as test/random/workloads.txt has them.
def workload_facts: split("\n") | map(select(. != "" and (startswith("#") | not)) | split(" ") |
	{key: .[0], value: {does: .[2], mix: .[3], count: .[4], preset: .[7],
		flags: (.[8] | split(",") | map({key: (. / "=" | .[0]), value: (. / "=" | .[1] // true)}) | from_entries)}}) | from_entries |
	map_values(.cast = .flags.cast);
def command_options: [.command // "" | scan("--([a-z_]+)=([^ \u0027]*)")] | map({key: .[0], value: .[1]}) | from_entries;
# Whether a list has what has no row and opens, closes or repeats something.
def hides_items: ._options.benchmarks // "" | test("\\[W|reopen|stats|age|soak|journal|^$");
def in_context($facts): . as $rows | [range(length) as $i | $rows[$i] | ._options = command_options | ._facts = ($facts[.benchmark // ""] // null) |
	. as $row | def of_its_process: select(. != null and .command == $row.command and .repetition == $row.repetition and $row.isolated == 0);
	._before = ((if $i > 0 then $rows[$i - 1] else null end | of_its_process) // null) |
	._after = (($rows[$i + 1] | of_its_process) // null | if . then .facts = $facts[.benchmark // ""] else . end)];

def option($name): ._options[$name];
def asked($name): option($name) | . != null and . != "0" and . != "";
def facts: ._facts // {};
def cast($name): facts.cast == $name;
def special: facts.count == "special";
def remote: .engine | IN("redis", "mongodb");
# it stores nothing, or nothing in files
def own: .engine | IN("null", "memstore");
def weights: if facts.mix == "own" then .mix // "" elif facts.mix == "rw" then "read,update" else facts.mix // "" end;
def weighs($kind): weights | split(",") | any(split(":")[0] == $kind);
def mixed: if ._facts == null then null else facts.cast == null and (facts.mix | IN("own", "rw") or contains(",")) or
	facts.cast == null and facts.preset != "-" and facts.does != "fills" and (facts.mix | test("^(multiread|next):") | not) end;
def calls: .reads + .writes + .scans;
# shorter than a second by the wall clock, too: of that is also what the threads wait for a CPU before and after, and a
# backup that ends after them
def brief: .seconds < 0.5 and .backup_at_s == null and (special | not);
def timed: option("latency") != "0" and (special | not);
def crosses: .engine | IN("bbolt", "pebble", "badger", "voron");
def has_blind_deletes: (.engine | IN("rocksdb", "leveldb", "pebble", "badger")) and weighs("delete");
def deletes_blindly: has_blind_deletes and facts.does == "deletes";
def draws: facts.cast == null and (special | not) and ._facts != null and
	((weights | test("read|update|rmw|scan")) or facts.does == "deletes") and .benchmark != "seekordered" and (.distribution // "" | test("^(permutation|sequential)$") | not);
def loads_in_order: if own or ._options.use_existing_db == "1" or ._options.copy_of != null then null
	else facts.cast == null and (facts.flags.of == null) and .benchmark != "queue" and (hides_items | not) and ._before == null and facts.does == "fills" end;
def paced: if special then false
	elif ._facts == null or cast("ib") or facts.does == "fills" or asked("read_rate") or asked("write_rate") then null
	else asked("rate") end;
def windows: .rates // "" | split(" ") | length;
# of rounds with operations in them: the last windows are of the last rounds
def drifts: windows >= 5 and (.rates | split(" ")[-5:] | any(tonumber > 0));
def written: if .writes == 0 or facts.does == "deletes" then false
	elif ._facts == null or weighs("delete") then null else special | not end;
def maps_writes: if .engine | IN("aio", "badger") then true
	elif .engine | IN("lmdb", "mdbx") then ._options.writemap == "1"
	elif .engine == "kyoto" then ._options.msiz != "0"
	elif .engine == "tkrzw" then ._options.file == "map" or ._options.file != "calls" and .durability != "sync"
	else false end;
def beside($name): if asked($name) | not then false
	elif ._facts == null or facts.flags.bulk or facts.cast != null then null
	else (special | not) and
		((weights | test("append|update|insert|rmw|delete")) or facts.flags.beside == "writer") end;
def opened: if hides_items then null else ._before == null or ._before.close_seconds != null end;
def closed: if hides_items then null
	elif asked("reopen") or asked("cold") or ._after == null or ._after.durability != .durability then true
	elif ._after.facts == null then null else ._after.facts.does == "fills" end;

def broken_rules($text; rules): in_context($text | workload_facts)[] | select(.valid == 1) | . as $row | rules |
	.columns[] as $column |
	if .there == true and $row[$column] == null then {$column, is: "empty", rule: .said}
	elif .empty == true and $row[$column] != null then {$column, is: $row[$column], rule: .said}
	else empty end |
	. + {benchmark: $row.benchmark, engine: $row.engine, command: $row.command};
