# symas-2018.jq: the claims of Intel Optane SSD Microbenchmark of 2018;
# see claims.jq.

include "claims";

# LMDB as it is, without what else it was run with
def symas18_plain: select(.label // "" | test("[+]") | not);
# the form of an engine, with its options and without what it ran on
def symas18_form: .label // .engine | split(":")[0];

# the most reads a second, each number of readers by its median
def symas18_best: group_by(.threads) | map(map(.reads_per_sec) | median) | max;

# the mean of a figure of RocksDB's loads on flash
def symas18_on_flash(column): [rows("load"; "rocksdb"; .medium == "flash") | column] |
	add / length;

# LMDB's loads on each medium, by storage, the median of each figure
def symas18_pairs: [rows("load"; "lmdb") | symas18_plain] | group_by([.storage, .medium]) |
	map(typical | {storage, medium, x: .}) | group_by(.medium)[] |
	map({key: .storage, value: .x}) | from_entries;
# their time on a storage over that on ext4
def symas18_over_ext4($storage): [symas18_pairs | select(.ext4 and .[$storage]) |
	{name: .ext4.medium, value: (.[$storage].seconds / .ext4.seconds)}];
# a figure of the loads of an engine, on each storage and medium
def symas18_loads($engine; column): [rows("load"; $engine) | symas18_plain |
	{name: name, value: column}] | once;
def symas18_both(column): {lmdb: symas18_loads("lmdb"; column),
	rocksdb: symas18_loads("rocksdb"; column)} |
	if any(.[]; . == []) then lacking("loads of both") else . end;
def symas18_on_raw(column): [rows("load"; "lmdb"; .storage == "raw") |
	{name: .medium, value: column}] | once |
	some("a load of LMDB on the bare device");

def B1: 0.1 as $tolerance | claim({shape: "I", $tolerance, counts: true,
	rule: "lmdb, within \($tolerance | percent) of the \(statement("B1")) %",
	text: "A file system adds 25 % to the writes of the raw device"};
	if $side == "published" then
		finding("B1")
	else
		symas18_on_raw(.fs_out_blocks)[0].value as $raw |
		symas18_loads("lmdb"; (.fs_out_blocks / $raw - 1) * 100) |
			map(select(.name | contains(":raw") | not)) |
		answer(length > 0 and all(.[]; .value / statement("B1") - 1 | fabs <= $tolerance);
			"per cent more: " + listed)
	end);

def B2: claim({shape: "O",
	rule: "lmdb, time ratio above 1, no margin",
	text: "LMDB loads slower without a journal than with one"};
	symas18_over_ext4("ext4-nojournal") | some("loads of LMDB with and without a journal") |
	answer(all(.[]; .value > 1); "time without over time with: " + listed));

def B3: claim({shape: "O",
	rule: "lmdb, time ratio above 1, no margin",
	text: "LMDB loads slower on the raw device than on a file system"};
	symas18_over_ext4("raw") | some("loads of LMDB on ext4 and on the raw device") |
	answer(all(.[]; .value > 1); "raw over ext4: " + listed));

def B4: 0.05 as $tolerance | claim({shape: "N", $tolerance, counts: true,
	rule: "lmdb, 1 to \(1 + $tolerance) switches a record",
	text: "On the raw device LMDB waits at least once for each record"};
	symas18_on_raw(.ctx_voluntary / .writes) |
	answer(all(.[]; .value >= 1 and .value <= 1 + $tolerance);
		"voluntary switches a record: " + listed(.value | three)));

def B5: 0.01 as $tolerance | claim({shape: "N", $tolerance, counts: true,
	rule: "lmdb, within \($tolerance | percent) of 1",
	text: "On the raw device LMDB reads as many blocks as it writes"};
	symas18_on_raw(.fs_in_blocks / .fs_out_blocks) |
	answer(all(.[]; .value - 1 | fabs <= $tolerance);
		"in over out: " + listed(.value | three)));

def B7: claim({shape: "N", counts: true,
	rule: "each load of rocksdb above each of lmdb, no margin",
	text: "To load a record RocksDB writes more blocks than LMDB"};
	symas18_both(.fs_out_per_write) as {$lmdb, $rocksdb} |
	answer(([$rocksdb[].value] | min) > ([$lmdb[].value] | max);
		"blocks a record: " + ($lmdb + $rocksdb | listed)));

def B8: 1000 as $tolerance | claim({shape: "O", $tolerance, counts: true,
	rule: "rocksdb at least \($tolerance) blocks above lmdb, on more than half",
	text: "RocksDB usually reads more blocks in the load than LMDB on the same file system"};
	[rows("load") | select(.engine | IN("lmdb", "rocksdb")) | symas18_plain] |
		group_by([.storage, .medium]) |
	map(group_by(.engine) | map(typical) | select(length == 2) |
		{name: "\(.[0].storage) on \(.[0].medium)",
		margin: (.[1].fs_in_blocks - .[0].fs_in_blocks),
			text: "\(.[1].fs_in_blocks) against \(.[0].fs_in_blocks)"}) |
	some("loads of both on one storage") |
	(map("\(.name) \(.text)") | join(", ")) as $text |
	if all(.[]; .margin | fabs < $tolerance) then
		lacking("a difference of \($tolerance) blocks, for neither read any to speak of: " +
			$text)
	else
		answer((map(select(.margin >= $tolerance)) | length) * 2 > length; $text)
	end);

def B9: 0.1 as $tolerance | claim({shape: "X", where: "published", $tolerance,
	rule: ("rocksdb, above \(statement("B9")) s, CPU time within " +
		"\($tolerance | percent) of that on flash"),
	text: ("RocksDB takes more than two hours to load on Optane, though it works and " +
		"writes no more than on flash: it waits"),
	reason: "there is no Optane here"};
	[rows("load"; "rocksdb"; .medium == "optane") |
		{name: .label, value: .seconds, cpu: cpu_s,
			blocks: .fs_out_blocks}] as $slow |
	symas18_on_flash(cpu_s) as $cpu | symas18_on_flash(.fs_out_blocks) as $blocks |
	answer(all($slow[]; .value > statement("B9") and within(.cpu; $cpu; $tolerance) and
			within(.blocks; $blocks; 0.01));
		"seconds: \($slow | listed); CPU time over that on flash " +
		($slow | map(.cpu / $cpu | show) | join(", ")) + ", blocks written " +
		($slow | map(.blocks / $blocks | show) | join(", "))));

def B10: claim({shape: "O", where: "published",
	rule: "lmdb and rocksdb, each time ratio above 1, no margin",
	text: "Every load is slower on Optane than on flash, against their data sheets",
	reason: "there is no Optane here"};
	. as $all |
	[rows("load") | select(.medium == "optane") | . as $o |
		{name: "\(.engine) \(.storage)", value: (.seconds / ($all |
			one("load"; $o.engine; .storage == $o.storage and .medium == "flash") |
			.seconds))}] |
	answer(all(.[]; .value > 1); "Optane over flash: " + listed));

def B11: 0.02 as $tolerance | claim({shape: "N", $tolerance,
	rule: "lmdb at most \(1 + $tolerance | percent), rocksdb above 100 %",
	text: ("LMDB works in the foreground only, below 100 % of a CPU; " +
		"RocksDB in the background too, above it, where it does not stall")};
	symas18_loads("lmdb"; .cpu_percent) as $lmdb |
	# where it took hours it waited, and B9 looks at that
	symas18_loads("rocksdb"; select(.seconds <= statement("B9")) | .cpu_percent) as $rocksdb |
	if $lmdb == [] or $rocksdb == [] then lacking("loads of both") else . end |
	answer(all($lmdb[]; .value <= 100 * (1 + $tolerance)) and all($rocksdb[]; .value > 100);
		"per cent: " + ($lmdb + $rocksdb | listed)));

def B12: claim({shape: "O", where: "neither",
	text: "The writes of RocksDB beside readers are slow, and as slow on every storage",
	reason: ("it is told of pictures only, and there is one device here: ext4 with and " +
		"without its journal are not two")});

def B13: claim({shape: "N", where: "neither",
	text: "LMDB writes up to 3.5 times as fast on Optane as on flash",
	reason: "there is one kind of storage here, and the published figures are in a picture"});

# On each number of readers for itself: a busy writer and one that waits for sixty readers are not
# one thing.
def B14: claim({shape: "O", where: "ours",
	rule: "lmdb, at each number of readers, no margin",
	text: "LMDB writes a little faster beside readers on the raw device than on ext4",
	reason: "it is told of pictures only"};
	[rows("run"; "lmdb") | symas18_plain] as $runs |
	if any($runs[]; .storage == "raw") |
		not then lacking("a run of LMDB on the bare device; only that is missing") else
			. end |
	[$runs[].threads] | unique | map(. as $n |
		{name: "\($n) reader\(if $n == 1 then "" else "s" end)"} + try_to(
		([$runs[] | select(.threads == $n and .storage == "raw") | .writes_per_sec] |
			median | known("LMDB on the bare device")) as $raw |
		([$runs[] | select(.threads == $n and .storage == "ext4") | .writes_per_sec] |
			median | known("LMDB on ext4")) as $file |
		answer($raw > $file; "raw \($raw | show), ext4 \($file | show)"))) | together);

def B15: claim({shape: "S", where: "neither",
	text: "On flash, twice the readers give LMDB twice the reads, but not from 32 to 64",
	reason: ("it is told of pictures only, and there is no flash here whose limit could be " +
		"met: one loop device on one virtual disk")});

def B16: claim({shape: "S", where: "neither",
	text: "On Optane more than 8 readers add little to the reads of LMDB",
	reason: "it is told of pictures only, and there is no Optane here"});

def B17: claim({shape: "O", where: "ours",
	rule: "lmdb above rocksdb, no margin",
	text: "RocksDB reads less than LMDB, each with the readers that suit it best",
	reason: "it is told of pictures only"};
	([rows("run"; "rocksdb") | select(.storage == "ext4")] |
		some("runs of RocksDB on ext4") | symas18_best) as $r |
	{rows: ([rows("run") | select(.engine == "lmdb" and .storage == "ext4")] |
		some("runs of LMDB on ext4"))} |
	by(symas18_form; .; (.rows | symas18_best) as $lmdb |
		answer($r < $lmdb;
			"reads a second on ext4: lmdb \($lmdb | show), rocksdb \($r | show)")));

def B18: 0.05 as $tolerance | claim({shape: "N", where: "ours", $tolerance, counts: true,
	rule: "lmdb and rocksdb at most \($tolerance | percent) larger",
	text: "The runs add no record, so the databases keep their size",
	reason: "sizes after the runs are not given"};
	. as $all |
	[[rows("load") | select(.db_disk_kb)] | group_by(.label)[] | typical | . as $l |
		([$all | rows("run") | select(.label == $l.label and .db_disk_kb)] |
			group_by(.threads) |
			map(map(.db_disk_kb) | median) | max) as $run | select($run) |
		{name: .label, value: ($run / .db_disk_kb)}] |
	some("sizes before and after") |
	answer(all(.[]; .value <= 1 + $tolerance); "largest after over before: " + listed));

def B19: claim({shape: "X", where: "neither",
	text: "Optane as memory performs still better",
	reason: "its results were announced for later and are not in the document"});

# The device itself is bench_aio, with a slot of a block for each record.
def B20: 0.5 as $tolerance | claim({shape: "O", where: "ours", $tolerance,
	rule: "lmdb at least \($tolerance | percent) of the rate of aio, which has no engine",
	text: "LMDB is never the bottleneck: it reads what the device gives",
	reason: "it is told of pictures only"};
	([rows("run"; "aio"; .storage == "raw")] | some("runs of aio on the bare device") |
		symas18_best) as $device |
	{rows: [rows("run") | select(.storage == "raw" and .engine == "lmdb")]} |
	by(symas18_form; .;
		(.rows | some("runs of LMDB on the bare device") | symas18_best) as $lmdb |
		answer($lmdb >= $tolerance * $device;
			"best reads a second: lmdb \($lmdb | show), the device itself " +
				"\($device | show)")));

def B21: claim({shape: "O", counts: true,
	rule: "each load of rocksdb below half of each of lmdb",
	text: "RocksDB has far fewer voluntary context switches in the load than LMDB"};
	symas18_both(.ctx_voluntary) as {$lmdb, $rocksdb} |
	answer(([$rocksdb[].value] | max) * 2 < ([$lmdb[].value] | min); "voluntary: " +
		($lmdb + $rocksdb | listed)));

def B22: 0.3 as $tolerance | claim({shape: "N", $tolerance,
	rule: "lmdb and rocksdb, at least \($tolerance | percent) of CPU time",
	text: "A significant part of the load, three tenths at least, is system time"};
	symas18_loads("lmdb"; .sys_s / cpu_s) as $lmdb |
		symas18_loads("rocksdb"; .sys_s / cpu_s) as $rocksdb |
	if $lmdb == [] then lacking("loads of LMDB") else . end |
	answer(all($lmdb[], $rocksdb[]; .value >= $tolerance); "system time over CPU time: " +
		($lmdb + $rocksdb | listed)));

def F3: found("F3"; {
	rule: "as bytes all printed figures agree; they are blocks of 512 bytes for a record",
	text: "The column Write Amp is bytes written for a byte of records",
	reason: "it is arithmetic of the published table"});
