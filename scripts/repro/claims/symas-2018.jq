# symas-2018.jq: the claims of Intel Optane SSD Microbenchmark of 2018;
# see claims.jq.

include "claims";
include "numbers";
include "rows";

# LMDB as it is, without what else it was run with
def plain: select(.label // "" | test("[+]") | not);
# the form of an engine, with its options and without what it ran on
def form: .label // .engine | split(":")[0];

# LMDB's loads on each medium, by storage; of repeats the median
def pairs: [rows("load"; "lmdb") | plain] | group_by([.storage, .medium]) | [.[] | middle(.seconds) | {storage, medium, x: .}] | group_by(.medium)[] |
	map({key: .storage, value: .x}) | from_entries;

def B1: 0.1 as $tolerance | claim({kind: "I", where: "both", $tolerance,
	text: "A file system adds 25 % to the writes of the raw device"};
	if $side == "published" then
		finding("B1")
	else
		. as $all |
		([rows("load"; "lmdb"; .storage == "raw") | .fs_out_blocks] |
			if length == 0 then lacking("a load of LMDB on the bare device; only that is missing") else median end) as $raw |
		[rows("load"; "lmdb") | plain | select(.storage != "raw") |
			{name: .label, value: ((.fs_out_blocks / $raw - 1) * 100)}] |
		answer(length > 0 and
				all(.[]; .value / statement("B1") - 1 |
				fabs <= $tolerance); "per cent more: " + listed)
	end);

def B2: claim({kind: "O", where: "both",
	text: "LMDB loads slower without a journal than with one"};
	[pairs | select(.ext4 and .["ext4-nojournal"]) |
		{name: .ext4.medium,
				value: (.["ext4-nojournal"].seconds / .ext4.seconds)}] |
	if length == 0 then
		lacking("loads of LMDB with and without a journal")
	else
		answer(all(.[]; .value > 1); "time without over time with: " + listed)
	end);

def B3: claim({kind: "O", where: "both",
	text: "LMDB loads slower on the raw device than on a file system"};
	[pairs | select(.raw and .ext4) |
		{name: .ext4.medium, value: (.raw.seconds / .ext4.seconds)}] |
	if length == 0 then
		lacking("loads of LMDB on ext4 and on the raw device")
	else
		answer(all(.[]; .value > 1); "raw over ext4: " + listed)
	end);

def B4: 0.05 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: "On the raw device LMDB gives way at least once for each record"};
	[rows("load"; "lmdb"; .storage == "raw") |
		{name: .medium, value: (.ctx_voluntary / .writes)}] |
	if length == 0 then
		lacking("a load of LMDB on the raw device")
	else
		answer(all(.[]; .value >= 1 and .value <= 1 + $tolerance);
			"voluntary switches a record: " + listed)
	end);

def B5: 0.01 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: "On the raw device LMDB reads as many blocks as it writes"};
	[rows("load"; "lmdb"; .storage == "raw") |
		{name: .medium, value: (.fs_in_blocks / .fs_out_blocks)}] |
	if length == 0 then
		lacking("a load of LMDB on the raw device")
	else
		answer(all(.[]; .value - 1 | fabs <= $tolerance);
			"in over out: " + listed)
	end);

def B6: 0.01 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("On the raw device LMDB writes little more than the records: 8.07 " +
		"blocks each, whatever the device")};
	[rows("load"; "lmdb"; .storage == "raw") |
		{name: .medium, value: .fs_out_per_write}] |
	if length == 0 then
		lacking("a load of LMDB on the raw device")
	else
		answer(all(.[]; .value / 8.07 - 1 | fabs <= $tolerance);
			"blocks a record: " + listed)
	end);

def B7: 0.02 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("To load a record RocksDB writes more blocks than LMDB, and as many " +
		"on every storage")};
	[rows("load"; "lmdb") | {name: .label, value: .fs_out_per_write}] as $lmdb |
	[rows("load"; "rocksdb") | {name: .label, value: .fs_out_per_write}] as $rocksdb |
	if $lmdb == [] or $rocksdb == [] then
		lacking("loads of both")
	else
		answer(([$rocksdb[].value] | min) > ([$lmdb[].value] | max) and
				([$rocksdb[].value] | max / min - 1) <= $tolerance;
			"blocks a record: " + ($lmdb + $rocksdb | listed))
	end);

def B8: 1000 as $tolerance | claim({kind: "O", where: "both", $tolerance,
	text: ("RocksDB usually reads more blocks in the load than LMDB on the same " +
		"file system")};
	. as $all |
	[[rows("load"; "rocksdb")] | group_by([.storage, .medium])[] | middle(.fs_in_blocks) as $r |
		($all |
			[rows("load"; "lmdb";
				.storage == $r.storage and
				.medium == $r.medium) | plain] | middle(.fs_in_blocks)) as $l | select($l) | $r |
		{name: "\(.storage) on \(.medium)", margin: (.fs_in_blocks - $l.fs_in_blocks),
				text: "\(.fs_in_blocks) against \($l.fs_in_blocks)"}] |
	if length == 0 then lacking("loads of both on one storage") else . end |
	(map("\(.name) \(.text)") | join(", ")) as $text |
	if all(.[]; .margin | fabs < $tolerance) then
		lacking("a difference of \($tolerance) blocks, for neither read any to speak of: \($text)")
	else
		answer((map(select(.margin >= $tolerance)) | length) * 2 > length; $text)
	end);

def B9: 0.1 as $tolerance | claim({kind: "X", where: "published", $tolerance,
	text: ("RocksDB takes more than two hours to load on Optane, though it works and " +
		"writes no more than on flash: it waits"),
	reason: "there is no Optane here"};
	[rows("load"; "rocksdb"; .medium == "optane") |
		{name: .label, value: .seconds, cpu: (.user_s + .sys_s), blocks: .fs_out_blocks}] as $slow |
	([rows("load"; "rocksdb"; .medium == "flash") | .user_s + .sys_s] | add / length) as $cpu |
	([rows("load"; "rocksdb"; .medium == "flash") | .fs_out_blocks] | add / length) as $blocks |
	answer(all($slow[]; .value > statement("B9") and within(.cpu; $cpu; $tolerance) and
			within(.blocks; $blocks; 0.01));
		"seconds: \($slow | listed); CPU time over that on flash " +
		($slow | map(.cpu / $cpu | show) | join(", ")) + ", blocks written " +
		($slow | map(.blocks / $blocks | show) | join(", "))));

def B10: claim({kind: "O", where: "published",
	text: ("Every load is slower on Optane than on flash, against their data " +
		"sheets"),
	reason: "there is no Optane here"};
	. as $all |
	[rows("load") | select(.medium == "optane") | . as $o |
		{name: "\(.engine) \(.storage)",
				value: (.seconds / ($all |
				one("load"; $o.engine;
				.storage == $o.storage and .medium == "flash") |
				.seconds))}] |
	answer(all(.[]; .value > 1); "Optane over flash: " + listed));

def B11: 0.02 as $tolerance | claim({kind: "N", where: "both", $tolerance,
	text: ("LMDB works in the foreground only, below 100 % of a CPU; " +
		"RocksDB in the background too, above it, where it does not stall")};
	[rows("load"; "lmdb") | {name: .label, value: .cpu_percent}] as $lmdb |
	# where it took hours it waited, and B9 looks at that
	[rows("load"; "rocksdb") | select(.seconds <= statement("B9")) |
		{name: .label, value: .cpu_percent}] as $rocksdb |
	if $lmdb == [] or $rocksdb == [] then
		lacking("loads of both")
	else
		answer(all($lmdb[]; .value <= 100 * (1 + $tolerance)) and
				all($rocksdb[]; .value > 100);
			"per cent: " + ($lmdb + $rocksdb | listed))
	end);

def B12: claim({kind: "O", where: "neither",
	text: ("The writes of RocksDB beside readers are slow, and as slow on every " +
		"storage"),
	reason: ("it is told of pictures only, and there is one device here: ext4 with and " +
		"without its journal are not two")};
	null);

def B13: claim({kind: "N", where: "neither",
	text: "LMDB writes up to 3.5 times as fast on Optane as on flash",
	reason: ("there is one kind of storage here, and the published figures are in " +
		"a picture")};
	null);

def B14: claim({kind: "O", where: "ours",
	text: ("LMDB writes a little faster beside readers on the raw device than on " +
		"ext4"),
	reason: "it is told of pictures only"};
	def most($storage; $what): [rows("run") | plain |
		select(.engine == "lmdb" and .storage == $storage) | .writes_per_sec] |
		max | known("a run of LMDB on \($what)");
	most("ext4"; "ext4") as $file | most("raw"; "the bare device; only that is missing") as $raw |
	answer($raw > $file; "most a second: raw \($raw | show), ext4 \($file | show)"));

def B15: 1.8 as $tolerance | claim({kind: "S", where: "ours", $tolerance,
	text: ("On flash, twice the readers give LMDB twice the reads, but not from " +
		"32 to 64"),
	reason: "it is told of pictures only"};
	# each form of LMDB for itself, of repeats the median
	{rows: [rows("run") | select(.engine == "lmdb" and .storage == "ext4")]} | by(form; .;
	([.rows[]] | group_by(.threads) | map(middle(.reads_per_sec) | {threads, reads_per_sec})) |
	sort_by(.threads) as $r |
	[range(($r | length) - 1) | select($r[. + 1].threads == 2 * $r[.].threads) |
		{name: "\($r[. + 1].threads)", to: $r[. + 1].threads,
				value: ($r[. + 1].reads_per_sec / $r[.].reads_per_sec)}] |
	if any(.[]; .to == 64) then
		answer(all(.[];
				if .to == 64 then .value < $tolerance else
					.value >= $tolerance end);
		"times at twice the readers, on a loop device: " + listed)
	else
		lacking("LMDB with 1 to 64 readers on ext4")
	end));

def B16: 1.5 as $tolerance | claim({kind: "S", where: "ours", $tolerance,
	text: "On Optane more than 8 readers add little to the reads of LMDB",
	reason: "it is told of pictures only"};
	# each form of LMDB for itself, of repeats the median
	{rows: [rows("run") | select(.engine == "lmdb" and .storage == "ext4")]} | by(form; .;
	([.rows[]] | group_by(.threads) | map(middle(.reads_per_sec) | {threads, reads_per_sec})) |
	sort_by(.threads) | [.[] | select(.threads >= 8)] as $r |
	([$r[].threads] | max) as $most |
	if ($r | length) < 3 then
		lacking("LMDB with 8 and more readers on ext4")
	else
		($r[-1].reads_per_sec / $r[0].reads_per_sec) as $x |
		answer($x < $tolerance;
			"\($most) readers over 8: \($x | show) times, on a loop device")
	end));

def B17: claim({kind: "O", where: "ours",
	text: "RocksDB reads less than LMDB at its best, on whatever storage",
	reason: "it is told of pictures only"};
	([rows("run"; "rocksdb")] | group_by(.storage) |
		map({name: "rocksdb on \(.[0].storage)", value: ([.[].reads_per_sec] | max)})) as $rocksdb |
	if $rocksdb == [] then lacking("runs of rocksdb") else . end |
	{rows: [rows("run") | select(.engine == "lmdb")]} | if .rows == [] then lacking("runs of lmdb") else . end |
	by(form; .; ([.rows[].reads_per_sec] | max) as $lmdb |
		answer(all($rocksdb[]; .value < $lmdb);
			"most a second: lmdb \($lmdb | show), " + ($rocksdb | listed))));

def B18: 0.05 as $tolerance | claim({kind: "N", where: "ours", $tolerance,
	text: "The runs add no record, so the databases keep their size",
	reason: "sizes after the runs are not given"};
	. as $all |
	[rows("load") | select(.db_disk_kb) | . as $l |
		([$all | rows("run") | select(.label == $l.label and .db_disk_kb) |
				.db_disk_kb] | max) as $run | select($run) |
		{name: .label, value: ($run / .db_disk_kb)}] |
	if length == 0 then
		lacking("sizes before and after")
	else
		answer(all(.[]; .value <= 1 + $tolerance);
			"largest after over before: " + listed)
	end);

def B19: claim({kind: "X", where: "neither",
	text: "Optane as memory performs still better",
	reason: "its results were announced for later and are not in the document"};
	null);

def F3: claim({kind: "I", where: "published",
	text: "The Write Amp column shows the write amplification",
	reason: "it is arithmetic of the published table"};
	finding("F3"));
