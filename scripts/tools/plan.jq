# plan.jq: the plan of a sweep, a run a row; for sweep.sh, which gives its options as $asked, with
# those of the programs in further, one a line, and the table of workloads as $workloads. `plan`
# prints plan.tsv; `plan_commands($out; lines)` turns its lines, or those that are read, into the
# commands of a sweep in the directory $out; `plan_comparisons` prints what --until compares.

def plan_words: . / "," | map(select(. != ""));
# What a benchmark does to its database: fills, reads or writes.
def plan_access: ($workloads / "\n" | map(. / "\t" | {(.[0]): .[1]}) | add) as $table |
	$table[sub("[@\\[].*"; "")];

# The options of the programs, and every combination of their values; of an option that is given
# twice the last counts.
def plan_options: (reduce ($asked.options / "\n" | .[] / "\t") as [$name, $alias, $type] ({};
	.[$name, $alias] = {$name, $type})) as $table |
	reduce ($asked.further / "\n" | .[] | select(. != "")) as $text ([];
		($text | index("=")) as $at |
	($text[2:$at] | gsub("-"; "_")) as $typed | (($table[$typed] // {name: $typed})
		+ {value: $text[$at + 1:]}) as $option |
	map(select(.name != $option.name)) + [$option]);
# A list is one value, and so is a text, as a path may have commas; or an option that no program
# has, as each refuses it.
def plan_combinations: reduce plan_options[] as $o ([{suffix: "", values: []}]; [.[] as $c |
	(if ($o.type | IN("list", "text", null)) or $o.value == "" then [$o.value]
		else $o.value / "," end)[] as $v |
	{suffix: ($c.suffix + if $v == $o.value then "" else "-\($o.name)=\($v)" end),
		values: ($c.values + [$v])}]);

# Columns are options of the program of that name, where they can be; empty: that is left out.
def plan_columns: ["run", "engine", "clients", "db", "label", "copy_of", "use_existing_db",
	"multiprocess_read", "loaded_by", "settle", "benchmarks", "threads", "repetition", "epoch"];
def plan_row($engine; $combination; $name; $clients): {run: "\($engine)-\($name)", engine: $engine,
	clients: $clients,
	db: ("\($asked.databases)/\($engine)\($combination.suffix)" + if $asked.apart != ""
		then "-%k" else "" end),
	label: ($engine + $asked.tag), values: $combination.values};

# What is measured of each engine and combination, and how its first run is called but for the
# engine.
def plan_points: [($asked.benchmarks | plan_words[]) as $entry |
	($entry / "@") as [$benchmark, $threads] |
	(($threads // $asked.threads) | plan_words[]) as $threads |
	($asked.clients | plan_words[] | tonumber) as $clients | {$benchmark, $threads, $clients}];
def plan_named($combination): "\(.benchmark)-\(.threads)t"
	+ if .clients > 1 then "-\(.clients)c" else "" end + $combination.suffix;

# Units, whose rows stay together: of part 1 those that share a load, of part 2 those that begin
# with one of their own. The load's database is kept: who writes has a copy, unless the engine's
# records cannot be copied.
def plan_units($engine; $combination):
	$combination.suffix as $suffix | ($engine / "+" | .[0] == "null") as $stores_nothing |
	($asked.load != "none" and ($asked.copying | plan_words | index([$engine])) and
		all(plan_options[]; .name != "device")) as $kept |
	def plan_load($name; $round): plan_row($engine; $combination; $name; if $asked.apart != ""
		then $asked.clients | tonumber else 1 end) +
		{benchmarks: $asked.load, threads: "1", repetition: $round, settle: 1};
	def plan_in_kept($access): if $access == "writes" then .copy_of = .db |
		.db |= sub("(?<k>-%k)?$"; "-copy\(.k // "")") | .use_existing_db = null
		elif $access == "fills" then .db |= sub("(?<k>-%k)?$"; "-fill\(.k // "")")
			else . end;
	"\($asked.load)-1t\($suffix)" as $loaded |
	any($asked.benchmarks | plan_words[]; plan_access == "fills") as $fills |
	[range(1; $asked.repeat + 1) as $round | plan_points as $all | range($all | length) as $at |
		$all[$at] as {$benchmark, $threads, $clients} |
		($benchmark | plan_access) as $access |
		($all[$at] | plan_named($combination)) as $name |
		($asked.load != "none" and ($kept or $stores_nothing or $access == "reads" or
			($asked.repeat == 1 and $access != "fills"))) as $shared |
		(if $shared then $loaded else "\($loaded)-for-\($name)-r\($round)" end) as $loader |
		($stores_nothing or $access == "fills") as $empties |
		plan_row($engine; $combination;
			$name + if $round > 1 then "-r\($round)" else "" end; $clients) +
		{benchmarks: $benchmark, $threads, repetition: (if $asked.repeat > 1 then $round
			else null end),
			# Every run draws keys of its own, the same ones on all engines. A database
			# that others have loaded counts by itself.
			epoch: (($round - 1) * ($all | length) + $at + if $access == "fills" then 0
				else 1 end |
				if $asked.load == "none" and $access == "writes" then null
					else . end),
			use_existing_db: (if $empties then null else 1 end),
			loaded_by: (if $empties or $asked.load == "none" then null
				else "\($engine)-\($loader)" end),
			multiprocess_read: (if $empties or $asked.apart != "" or $clients == 1
				then null else 1 end)} |
		if $kept then plan_in_kept($access) else . end |
		{$round, part: (if $shared or $asked.load == "none" then 1 else 2 end), rows: [.],
			load: (if $shared and $access != "fills" then plan_load($loaded; null)
				else null end)} |
		if .part == 2 and $access == "writes"
			then .rows = [plan_load($loader; $round)] + .rows else . end] |
	if $asked.load == "none" and $fills then group_by(.round) | map({round: .[0].round, part: 2,
		rows: map(.rows[])}) else . end | .[];

# Park and Miller's random numbers, and Fisher and Yates's shuffle of .list by them; the first ones
# of small seeds are small, and left out.
def plan_random: .state = .state * 16807 % 2147483647;
def plan_shuffled: reduce range(.list | length - 1; 0; -1) as $i (.; plan_random |
	((.state / 2147483647 * ($i + 1)) | floor) as $k |
	.list as $list | .list[$i] = $list[$k] | .list[$k] = $list[$i]);

# In rounds that have every unit of a part once, in a random order; a shared load comes just before
# the first unit that needs it. Without repetitions each part is in the order given.
def plan_in_order: . as $units | reduce range(8) as $_ ({state: (1 + $asked.seed % 2147483646)};
	plan_random) |
	reduce ((1, 2) as $part | range(1; $asked.repeat + 1) as $round |
		[$part, $round]) as $group (.;
		.list = [$units[] | select([.part, .round] == $group)] | if $asked.repeat > 1
			then plan_shuffled else . end |
		reduce .list[] as $u (.; .rows += (if $u.load and (.loaded[$u.load.run] | not)
			then [$u.load] else [] end) + $u.rows |
			.loaded[$u.load.run? // ""] = true)) |
	.rows;

def plan: [($asked.engines | plan_words[]) as $engine | plan_combinations[] as $combination |
	plan_units($engine; $combination)] | plan_in_order |
	(plan_columns + [plan_options[].name]), (.[] | [.[plan_columns[]]] + .values) |
		map(. // "" | tostring) | join("\t");

# The first engine beside each other one; of one engine the first combination beside each other.
def plan_comparisons: ($asked.engines | plan_words) as $engines |
	plan_combinations as $combinations |
	[if ($engines | length) > 1
		then $combinations[] as $c | $engines[1:][] | [[$engines[0], $c], [., $c]]
		else $combinations[1:][] |
			[[$engines[0], $combinations[0]], [$engines[0], .]] end] as $pairs |
	["old_run", "new_run", "old", "new", "benchmark", "threads", "clients"],
	(plan_points[] as $point | $pairs[] |
		map(. as [$engine, $c] | "\($engine)-\($point | plan_named($c))") +
		map("\(.[0])\(.[1].suffix)") + [$point | .benchmark, .threads, .clients]) |
	map(tostring) | join("\t");

# As a shell reads it back.
def plan_word: if test("^[A-Za-z0-9_.,:=/+%@-]+$") then . else @sh end;

# Directory, database, what the run does with that (load, keep or use), program and command of each
# run. What lies in the directory of the sweep is in $out.
def plan_commands($out; lines): [lines / "\t"] | .[0] as $names | (plan_columns | length) as $own |
	.[1:][] as $cells |
	def plan_here: if startswith($asked.out + "/") then $out + ltrimstr($asked.out) else . end;
	([$names[:$own], $cells[:$own]] | transpose | map({(.[0]): .[1]}) | add | .db |= plan_here |
		.copy_of |= plan_here) as $run |
	"\($out)/runs/\($run.run)" as $directory | ($directory | plan_word) as $quoted |
	($run | if .copy_of != "" then [.copy_of, "keep"] elif .use_existing_db == ""
		then [.db, "load"] elif .benchmarks | plan_access == "reads" then [.db, "keep"]
			else [.db, "use"] end) as $database |
	($run.engine / "+") as [$engine] | "bench_\($engine)" as $program |
	"--json=\($quoted)/row.json --tsv=\($quoted)/row.tsv" as $rows |
	($run.clients | tonumber > 1) as $several |
	[(if $several then "scripts/clients.sh --clients=\($run.clients) --replace"
		+ " --out=\($quoted)/clients \($rows)" else empty end),
		(["./\($program)", "--db=\($run.db)", ($names[4:$own][] | select($run[.] != "") |
			"--\(.)=\($run[.])")] | map(plan_word)[]),
		(if $several
			then "--hdr=\($quoted)/clients/%k.hgrm --timeline=\($quoted)/clients/%k.tsv"
			else $rows
				+ " --hdr=\($quoted)/latency.hgrm"
				+ " --timeline=\($quoted)/timeline.tsv" end),
		(($run.engine / "+" | .[1:][] | "--\(.)"), ([$names[$own:], $cells[$own:]] |
			transpose[] | "--\(.[0])=\(.[1])") | plan_word),
		">\($quoted)/out.txt 2>\($quoted)/err.txt"] | join(" ") |
	[$directory, $database[], $program, .] | join("\t");
def plan_commands($out): plan_commands($out; inputs);
