# options.sh: what is accepted, what is refused and how, and that help, manual and README agree.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# STATUS|what stderr says|arguments: every wrong input is one line, exit 2, and touches nothing.
refusals () {
	while IFS='|' read -r program pattern arguments
	do
		# shellcheck disable=SC2086 # words
		fails 2 "$pattern" "$top/bench_$program" --db="$work/untouched" $arguments || return 1
		[ ! -e "$work/untouched" ] || { echo "touched: $arguments"; return 1; }
	done
}
ok 'every wrong input ends in one line and exit 2, nothing touched' refusals <<'END'
lmdb|no option '--nmu'; did you mean --num?|--nmu=5
lmdb|no option '--thraeds'; did you mean --threads?|--thraeds=5
lmdb|no option '--value-sise'; did you mean --value_size?|--value-sise=5
lmdb|no option '--xyzzy'; see --help|--xyzzy=5
lmdb|no benchmark 'fillsec'; did you mean fillseq?|--benchmarks=fillsec
lmdb|no benchmark 'frobnicate'; --help=workloads lists them|--benchmarks=frobnicate
lmdb|no preset 'ycbs'; did you mean|--preset=ycbs
lmdb|no topic 'recrods'; did you mean records?|--help=recrods
lmdb|no benchmark ''|--benchmarks=fillseq,
lmdb|no benchmark ''|--benchmarks=
lmdb|--num: cannot read '10x'|--num=10x
lmdb|--num: cannot read '-5'|--num=-5
lmdb|--num: cannot read ''|--num=
lmdb|--num: cannot read '1e6'|--num=1e6
lmdb|--num: cannot read '99999999999999999999'|--num=99999999999999999999
lmdb|--num: cannot read '20000000000000g'|--num=20000000000000g
lmdb|--num: '0' is outside 1|--num=0
lmdb|--threads: '0' is outside 1|--threads=0
lmdb|--threads: cannot read '-1'|--threads=-1
lmdb|--threads: '5000' is outside 1 to 4096|--threads=5000
lmdb|--batch_size: '0' is outside 1|--batch=0
null|--seek_nexts: '18446744073709551615' is outside 0|--benchmarks=seekrandom --seek_nexts=18446744073709551615
lmdb|--key_size: '7' is outside 8|--key_size=7
lmdb|--key_size: '512' is outside 8 to 511|--key_size=512
lmdb|--value_size: LMDB takes at most 4294967295|--value_size=5Gi
lmdb|--num: cannot read '1Ki'|--num=1Ki
lmdb|--compression_ratio: '1.5' is outside 0 to 1|--compression_ratio=1.5
lmdb|--duration: cannot read 'nan'|--duration=nan
lmdb|--duration: '-1' is outside 0|--duration=-1
lmdb|--durability: no 'fast'; give one of none, async, sync|--durability=fast
lmdb|--touch: no 'some'; give one of all, first, none|--touch=some
lmdb|--histogram: cannot read '2'|--histogram=2
lmdb|--num: its value is missing|--num
lmdb|cannot read 'fillseq'|fillseq
lmdb|cannot read '--'|--
lmdb|--num: 2000000000 records do not fit into decimal keys of 8 bytes|--num=2g --key_size=8
lmdb|readrandom needs a database|--benchmarks=readrandom
lmdb|readrandom needs a database|--benchmarks=readrandom,fillseq
lmdb|forbids|--benchmarks=fillseq --use_existing_db=1
lmdb|no database at|--benchmarks=readrandom --use_existing_db=1
lmdb|--metasync=0 cannot keep --durability=sync|--metasync=0 --sync
lmdb|--metasync=0 cannot keep --durability=sync|--benchmarks=fillseq,fillsync --metasync=0
lmdb|--maxreaders is below|--maxreaders=2 --threads=8
lmdb|--tsv: cannot append to /nowhere/x|--tsv=/nowhere/x
lmdb|--json: cannot append to /nowhere/x|--json=/nowhere/x
lmdb|no option '--null_get_ns'|--null_get_ns=5
null|no option '--mapsize'|--mapsize=5
null|'400-100' is no range|--value_size=400-100
null|cannot read '1-x'|--value_size=1-x
null|cannot read '0'|--scan_length=0
null|cannot read 'read:x'|--mix=read:x
null|cannot read 'eat:5'|--mix=eat:5
null|the weights add up to 0|--mix=read:0
null|the weights add up to 1200|--mix=read:600,update:600
null|give insert at least the weight of delete|--mix=read:50,delete:1
null|no preset 'tpcc'|--preset=tpcc
null|no 'zipf'; give one of auto|--distribution=zipf
null|has no integer keys|--key_format=native
null|needs at least 24 bytes|--key_format=user --key_size=23
null|outside|--theta=-1
lmdb|loads in the order of keys|--benchmarks=fillbulk --key_format=user --key_size=24
lmdb|--compression=zlib: this build of LMDB has none|--compression=zlib
null|smallbank-load: null engine discards writes, whose effect|--preset=smallbank
lmdb|--queues: each of the 3 threads needs a queue; give at least as many|--benchmarks=queue@3 --queues=2
lmdb|--queues: 1000000 queues of up to 1000000 records do not fit into decimal keys of 8 bytes|--benchmarks=queue --key_size=8 --queues=1m
lmdb|--until_steady limits the duration itself; leave out --duration|--until_steady=5 --duration=5
null|--device_share: the size of an engine that stores nothing is unknown|--device_share=0.5
lmdb|--threads: fillbulk loads from one thread; give 1|--benchmarks=fillbulk@2
lmdb|--cold=1: smallbank reads all records before it begins|--benchmarks=smallbank-load,smallbank --cold=1
null|--benchmarks: the list exceeds|--benchmarks=readrandom[X600],readseq[W1-X600]
null|--repeat: a list of 2 benchmarks repeated this often exceeds|--benchmarks=readrandom,readseq --repeat=1000
null|--mixgraph=db_bench: values hold the drawn number in 32 bits|--preset=mixgraph --mixgraph=db_bench --num=4294967295
null|--sine_a + --sine_d must be positive|--benchmarks=mixgraph --sine_mix_rate=1 --sine_a=0 --sine_d=0
lmdb|5000000000 records do not fit into hex|--num=5g --key_format=hex --key_size=8 --benchmarks=fillseq
END

ok 'a line end in what was typed does not end the line that refuses it' fails 2 "cannot read '5 6'" "$top/bench_null" "--num=5
6"

# The tests' own line, before it installs or builds anything.
parts () {
	find "$top/test/cases" -name '*.sh' -exec basename -s .sh '{}' + | sort >"$work/cases"
	fails 2 "no part 'nosuch'; there are " "$top/test.sh" nosuch
	sed -n 's/.*; there are \(.*\); usage.*/\1/p' "$work/stderr" | tr ' ' '\n' | sort | diff - "$work/cases"
	fails 2 "cannot read '--lang'" "$top/test.sh" --lang
	JOBS=0 fails 2 "JOBS: cannot read '0'" "$top/test.sh" options
	[ ! -s "$work/stdout" ]
}
ok 'test.sh runs the parts that there are, and no others' parts

accepts () {
	"$top/bench_null" --benchmarks=readrandom "$@" --json="$work/rows" >"$work/out" || return 1
}
spellings () {
	accepts --num=2k --reads=3k && row '.num == 2000 and .ops == 3000' &&
		accepts --num 2k --reads 3000 && row '.num == 2000 and .ops == 3000' &&
		accepts --value-size=2Ki --num=1m --reads=10 && row '.value_size == 2048' &&
		accepts --num=3000000000 --reads=10 && row '.num == 3000000000' &&
		accepts --num=1k --histogram --num=2k && row '.num == 2000' &&
		grep -q '^Percentiles: P50: ' "$work/out"
}
ok 'accepts --name=value, --name value, hyphens, suffixes, 64 bits, flags alone' spellings

# Names of options as the help, the manual and the table for scripts have them.
names_agree () {
	"$top/bench_lmdb" --help=all >"$work/help" && "$top/bench_lmdb" --man >"$work/man" || return 1
	sed -n 's/^  --\([a-z_]*\)=.*/\1/p' "$work/help" | sort >"$work/names.help"
	sed -n 's/^\.It Fl Fl \([a-z_]*\) .*/\1/p' "$work/man" | sort >"$work/names.man"
	"$top/bench_lmdb" --options=tsv | sed 1d | cut -f 2 | sort >"$work/names.tsv"
	[ -s "$work/names.help" ] && diff "$work/names.help" "$work/names.man" && diff "$work/names.help" "$work/names.tsv"
}
ok 'help, manual and --options=tsv name the same options' names_agree
# table NAME HEADER ROW: that table begins with the header, has the row, and as many fields in each
table () {
	"$top/bench_lmdb" --"$1=tsv" >"$work/table" && "$top/bench_lmdb" --"$1" | cmp - "$work/table" &&
		[ "$(head -n 1 "$work/table" | tr '\t' ' ')" = "$2" ] && grep -P "^$3\$" "$work/table" &&
		awk -F '\t' 'NR == 1 { fields = NF } NF != fields || $NF == "" { print; bad = 1 } END { exit bad || NR < 3 }' "$work/table"
}
tables () {
	header='of name alias group type values default min max meaning'
	table options "$header" 'all\tnum\t\tWhat to run\tcount\tN\t1m\t1\t[0-9]+\t.*' &&
		table options "$header" 'all\tduration\t\tWhat to run\treal\tX\t0\t0\t[^\t]*\t.*' &&
		table options "$header" 'all\tdurability\t[^\t]*\t[^\t]*\tchoice\tnone\|async\|sync\tasync\t\t\t.*' &&
		table options "$header" 'all\tcache_size\t[^\t]*\t[^\t]*\tsize\tBYTES\t0\t[0-9]+\t[^\t]*\t.*' &&
		table options "$header" 'engine\twritemap\t[^\t]*\t[^\t]*\tflag\t0\|1\t[^\t]*\t\t\t.*' &&
		table columns 'table name type unit meaning' 'result\tread_p99_ns\t[a-z]*\tns\t.*' &&
		table columns 'table name type unit meaning' 'timeline\tat_s\treal\ts\t.*' &&
		table workloads 'name access meaning' 'readrandom\treads\t.*' &&
		table workloads 'name access meaning' 'fillseq\tfills\t.*' &&
		table workloads 'name access meaning' 'overwrite\twrites\t.*' &&
		table presets 'name options meaning' 'ycsb\tbenchmarks=ycsb-load,.*\t.*'
}
ok 'tables for scripts have a header and typed rows' tables

readmes_agree () {
	"$top/scripts/gen-docs.sh" | diff "$top/docs/options.md" - || return 1
	for engine in $(make -C "$top" -s engines served)
	do
		# its own options are for tests
		[ "$engine" != null ] || continue
		"$top/scripts/gen-docs.sh" "$engine" >"$work/options.own" || return 1
		# an engine in Rust may have none
		sed -n '/^| /p' "$work/options.own" >"$work/table.own"
		sed -n "/^### bench_$engine\$/,/^##* [^b#]/p" "$top/docs/engines.md" | sed '1d; /^### /,$d' | grep '^| ' |
			diff "$work/table.own" - || return 1
	done
}
ok 'docs/options.md is what the programs say, and docs/engines.md has their tables' readmes_agree

columns_agree () {
	"$top/bench_null" --columns=tsv | awk 'NR > 1 { print $1, $2 }' >"$work/columns"
	"$top/bench_null" --benchmarks=readrandom --num=1k --tsv="$work/columns.tsv" --timeline="$work/columns.timeline" \
		>"$work/out" || return 1
	{
		head -n 1 "$work/columns.tsv" | tr '\t' '\n' | sed 's/^/result /'
		head -n 1 "$work/columns.timeline" | tr '\t' '\n' | sed 's/^/timeline /'
	} | diff "$work/columns" -
}
ok '--columns names the columns of the TSV, and of the timeline, in order' columns_agree

# Each column of the results has its line in the table of promises, in order: what it is derived from, or a test that looks at
# it. A percentile or mean of one kind of call stands there for all kinds.
has_source () {
	"$top/bench_null" --columns=tsv | awk '$1 == "result" { print $2 }' >"$work/columns"
	grep -v '^#' "$top/test/promises.tsv" >"$work/promises"
	cut -f 1 "$work/promises" | diff "$work/columns" -
	while IFS="$tab" read -r column formula where
	do
		word=$(echo "$column" | sed -E 's/^(read|write|scan|probe)(_resp)?(_(p[0-9]+|min|max|mean|stddev)_ns)$/\3/')
		[ "$formula" != - ] || grep -q -F -e "$word" "$top/$where" || { echo "$where does not look at $column"; return 1; }
	done <"$work/promises"
}
tab=$(printf '\t')
ok 'each column stands in the table of promises, with what it is derived from or the test that looks at it' has_source

# Where features meet (test/crossings.tsv): each pair of those named has its test or a reason, and each test and mutant is there.
pairs_complete () {
	awk -F '\t' '/^# features: / { sub(/^# features: /, ""); n = split($0, name, ", "); next }
		/^#/ { next }
		{ pair[$1, $2]++; if (pair[$1, $2] + pair[$2, $1] > 1) { print "twice: " $1 ", " $2; bad = 1 } }
		$4 == "-" && $3 !~ /^-: ./ { print "no reason: " $1 ", " $2; bad = 1 }
		END {
			for (i = 1; i <= n; i++)
				for (j = i + 1; j <= n; j++)
					if (!(pair[name[i], name[j]] + pair[name[j], name[i]])) { print "no row: " name[i] ", " name[j]; bad = 1 }
			exit bad || n < 10
		}' "$1"
}
# matches NAME MUTANT: whether the mutant's test runs the test of that name
matches () {
	regex=$(sed -n 's/^test:.*ONLY=\(.\)\(.*\)\1 .*/\2/p' "$top/test/mutants/$2")
	[ -n "$regex" ] && printf '%s\n' "$1" | grep -q -E -e "$regex"
}
crossings_hold () {
	pairs_complete "$1" || return 1
	grep -v -e '^#' -e "${tab}-${tab}-${tab}-$" "$1" >"$work/crossings" || return 1
	while IFS="$tab" read -r one other _ part name mutant
	do
		file=$top/test/cases/$part.sh
		[ "$part" != hold ] || file=$top/test/random/hold.jq
		grep -q -F -e "ok '$name' " -e "ok \"$name\" " -e "check(\"$name\";" "$file" ||
			{ echo "$one, $other: no test '$name' in $part"; return 1; }
		[ "$mutant" = - ] || matches "$name" "$mutant" || { echo "$one, $other: $mutant is no mutant of '$name'"; return 1; }
	done <"$work/crossings"
}
ok 'each crossing of features has a test, an invariant or a reason, and the mutant that the test kills' crossings_hold "$top/test/crossings.tsv"
crossings_fail () {
	for fault in '/^open loop.timeline/d' 's/^multi-get.verify/timeline\tverify/' 's/	-: no workload has both/	both/' \
		's/	an open loop lasts as long/	no such test lasts as long/' 's/	timeline-late$/	timeline-writer/' "s/ of each kind	/ of no kind	/"
	do
		sed "$fault" "$top/test/crossings.tsv" >"$work/faulty"
		! cmp -s "$work/faulty" "$top/test/crossings.tsv" || { echo "no fault: $fault"; return 1; }
		! crossings_hold "$work/faulty" || { echo "not found: $fault"; return 1; }
	done
}
ok 'and one that lacks its row, reason, test, invariant or mutant is found' crossings_fail

ok 'the manual page has no errors' sh -c "'$top/bench_lmdb' --man | mandoc -T lint -W error"
# The first screen: not more than a terminal has; and each topic that it names is one.
fits_a_screen () {
	for program in lmdb null rocksdb
	do
		[ -x "$top/bench_$program" ] || continue
		"$top/bench_$program" --help >"$work/screen" || return 1
		awk -v lines=24 -v columns=80 'length > columns { print; bad = 1 } END { exit bad || NR > lines }' "$work/screen" || return 1
		[ "$(grep -c '^  --' "$work/screen")" -eq 10 ] || return 1
		sed '1,/^name of a workload/d' "$work/screen" | xargs -n 1 echo >"$work/names"
		while read -r topic
		do
			"$top/bench_$program" --help="$topic" | grep '^  --' || return 1
		done <"$work/names" >"$work/topics"
		"$top/bench_$program" --options=tsv | awk -F '\t' 'NR > 1 { print "  --" $2 "=" $6 }' | diff "$work/topics" - || return 1
	done
}
ok '--help fits a screen, and its topics are all options' fits_a_screen
every_topic () {
	"$top/bench_null" --help=workloads | grep -A 1 '^  [^ ]' >"$work/all"
	for load in $("$top/bench_null" --workloads=tsv | sed 1d | cut -f 1)
	do
		"$top/bench_null" --help="$load" >"$work/out" || return 1
		grep -q -x "  $load" "$work/out" || { echo "$load"; return 1; }
		grep -q '^        [A-Za-z]' "$work/out" || { echo "$load"; return 1; }
	done
	"$top/bench_null" --help=ycsb | grep -q 'benchmarks=' && "$top/bench_null" --help=value-size | grep -q '^  --value_size='
}
ok '--help of a workload, a preset or an option has its text' every_topic

# in_effect ENGINE PRESET JQ [TEXT...]: a row of that preset, and lines of what RocksDB says of itself
in_effect () {
	engine=$1 preset=$2 expected=$3
	shift 3
	"$top/bench_$engine" --help=presets | grep "^  $preset$" &&
		bench "$engine" --preset="$preset" --benchmarks=fillrandom,readrandom --num=500 --db="$work/as-$engine" >"$work/out" &&
		row "$expected and .valid == 1" || return 1
	for text
	do
		grep "^  $text$" "$work/as-$engine"/data/OPTIONS-* || return 1
	done
}
[ ! -x "$top/bench_rocksdb" ] || ok 'bench_rocksdb --preset=db_bench has the defaults of its db_bench' in_effect rocksdb db_bench \
	'.cache_bytes == 33554432 and .key_format == "binary" and .compression == "snappy" and .touch == "none" and
		(.engine_options | contains(";level_compaction_dynamic_level_bytes=false;"))' \
	enable_pipelined_write=true cache_index_and_filter_blocks=false block_size=4096 'compression=kSnappyCompression'
if [ -x "$top/bench_leveldb" ]
then
	ok 'bench_leveldb --preset=db_bench has those of its own' in_effect leveldb db_bench \
		'.cache_bytes == 8388608 and .write_buffer_bytes == 4194304 and .compression == "snappy"'
	ok 'and --preset=dbbench those of dbbench' in_effect leveldb dbbench '.key_format == "hex" and .compression == "none"'
fi
ok 'bench_lmdb --preset=dbbench has those of dbbench' in_effect lmdb dbbench '.key_format == "hex" and (.engine_options | test("writemap=1"))'
ok 'which an engine that is not theirs has not' fails 2 "no preset 'dbbench'" "$top/bench_null" --preset=dbbench
ok '--help and --version end with 0' sh -c "'$top/bench_lmdb' --help=all | grep -q fillseqbatch &&
	'$top/bench_lmdb' --version | grep -q 'LMDB [0-9]'"

# What would hold a run up, or be written by two, is refused before anything is made.
takes_no_pipe () {
	mkfifo "$work/pipe" "$work/given.readrandom.read" && ln -s pipe "$work/pipe.link" && printf '' >"$work/given" || return 1
	for option in hdr json tsv timeline report_file
	do
		for name in pipe pipe.link
		do
			fails 2 "--$option: .*/$name is a named pipe" timeout 20 "$top/bench_lmdb" --db="$work/untouched" --benchmarks=fillseq --num=10 \
				--report_interval_seconds=0.1 "--$option=$work/$name" && [ ! -e "$work/untouched" ] || return 1
		done
	done
	fails 1 'given.readrandom.read is a named pipe' timeout 20 "$top/bench_null" --benchmarks=overwrite,readrandom --num=10 \
		--hdr="$work/given" || return 1
	for option in json tsv timeline hdr
	do
		timeout 20 "$top/bench_null" --benchmarks=readrandom --num=10 "--$option=/dev/null" >"$work/out" &&
			timeout 20 "$top/bench_null" --benchmarks=readrandom --num=10 "--$option=/dev/stdout" | grep -q '^ *\(Value\|schema\|{"schema"\|time\)' ||
			return 1
	done
	timeout 20 "$top/bench_null" --benchmarks=readrandom --num=10 --json=/dev/null --tsv=/dev/null >"$work/out"
}
ok 'a named pipe for a file of results is refused at once; /dev/null and /dev/stdout are taken' takes_no_pipe

one_file_each () {
	mkdir "$work/below" && ln -s below "$work/other" && ln -s below/new "$work/dangling" && ln -s "$work/below/new" "$work/below/far" &&
		: >"$work/below/old" && ln "$work/below/old" "$work/old.link" || return 1
	while read -r first second
	do
		fails 2 '^bench_lmdb: --.* and --.* name the same file, ' "$top/bench_lmdb" --db="$work/untouched" --benchmarks=fillseq --num=10 \
			--report_interval_seconds=0.1 "--${first%%=*}=$work/${first#*=}" "--${second%%=*}=$work/${second#*=}" &&
			[ ! -e "$work/untouched" ] && [ ! -e "$work/below/new" ] && [ ! -s "$work/below/old" ] || return 1
	done <<-'END'
		json=below/new tsv=below/new
		json=below/new timeline=./below//new
		hdr=below/new tsv=other/new
		json=dangling report_file=below/new
		json=below/far timeline=other/new
		json=below/old hdr=old.link
	END
	"$top/bench_lmdb" --db="$work/untouched" --benchmarks=fillseq --num=10 --json="$work/below/new" --tsv="$work/below/new2" \
		--hdr="$work/below/old" --report_file="$work/below/new" >"$work/out" && rm -r "$work/untouched"
}
ok 'two kinds of results in one file are refused, by whatever names it goes' one_file_each

# Rows alone, also of several processes; a file that has rows gets no second header.
rows_on_stdout () {
	mkdir -p "$work/dash" && cd "$work/dash" || return 1
	"$top/bench_null" --benchmarks='fillseq,readrandom[X2],stats' --num=1k --isolate --histogram --json=- 2>"$work/err" | tee "$work/out" |
		jq -es 'map(.benchmark) == ["fillseq", "readrandom", "readrandom"] and all(.[]; .valid == 1)' &&
		grep '^Percentiles: ' "$work/err" && [ "$(grep -c '^readrandom   : ' "$work/err")" -eq 2 ] || return 1
	"$top/bench_null" --benchmarks='readrandom[X2]' --num=1k --isolate --tsv=- 2>"$work/err" | cat >"$work/piped" &&
		"$top/bench_null" --benchmarks=readrandom --num=1k --tsv=- >>"$work/piped" 2>"$work/err" &&
		[ "$(cut -f 1 "$work/piped" | paste -s -d ' ')" = 'schema assay/2 assay/2 assay/2' ] || return 1
	[ -z "$(ls)" ] || return 1
	# another option's file of that name is a file
	"$top/bench_null" --benchmarks=readrandom --num=1k --timeline=- >"$work/out" && grep '^readrandom   : ' "$work/out" && [ -s ./- ] &&
		fails 2 '--json and --timeline name the same file, -' "$top/bench_null" --benchmarks=readrandom --num=1k --json=- --timeline=- &&
		fails 2 'standard output cannot be kept for rows' sh -c '"$1" --benchmarks=readrandom --num=1k --json=- >&-' sh "$top/bench_null"
}
ok '--json=- and --tsv=- print rows on stdout, and all else on stderr' rows_on_stdout

# Files for rows that are there stay as they are; others are not made.
rows_untouched () {
	"$top/bench_null" --benchmarks=readrandom --num=1k --json="$work/half.json" >"$work/out" && truncate -s -5 "$work/half.json" &&
		cp "$work/half.json" "$work/half" && mkdir -p "$work/foreign/x" || return 1
	fails 2 'is not empty' "$top/bench_lmdb" --db="$work/foreign" --benchmarks=fillseq --num=10 --json="$work/half.json" \
		--tsv="$work/new.tsv" --timeline="$work/new.timeline" && cmp "$work/half" "$work/half.json" && ! ls "$work"/new.*
}
ok 'a --db that is refused leaves the files of rows as they are' rows_untouched

# Each option of a driver reaches its engine (test/driver_options.tsv): as the engine reports it, or by its files, calls and figures.
# run_seen WAY ENGINE ARGUMENTS...: a run, and what is seen of it, as an object named WAY
run_seen () {
	way=$1 engine=$2 trace='' counters=''
	shift 2
	case $truth in
	*.counters*) counters=--engine_counters=$work/option/counters ;;
	esac
	rm -rf "$work/option"
	mkdir "$work/option" || return 1
	case $1 in
	trace=*)
		trace=${1#*=}
		shift
		;;
	esac
	${trace:+strace -f -qq -o "$work/option/calls" -e "trace=$trace"} "$top/bench_$engine" --db="$work/option/db" --json="$work/option/rows" \
		${counters:+"$counters"} "$@" >"$work/option/said" 2>&1 || { cat "$work/option/said"; return 1; }
	[ -d "$work/option/db/data" ] || mkdir -p "$work/option/db/data"
	touch "$work/option/calls" "$work/option/counters"
	find "$work/option/db/data" -type f -printf '%s\t%P\n' >"$work/option/files" || return 1
	find "$work/option/db/data" -name 'OPTIONS-*' -exec cat {} + >"$work/option/text" || return 1
	tail -n 1 "$work/option/rows" | "$quick_jq" --arg way "$way" --rawfile files "$work/option/files" --rawfile text "$work/option/text" \
		--rawfile said "$work/option/said" --rawfile counters "$work/option/counters" --rawfile calls "$work/option/calls" '
		def lines: split("\n") | map(select(. != ""));
		{($way): {row: ., $text, $said, $calls,
			engine: (.engine_options // "" | [splits(" ") | capture("^(?<key>[^=]*)=(?<value>.*)")] | from_entries),
			files: ($files | lines | map(split("\t") | {key: .[1], value: (.[0] | tonumber)}) | from_entries),
			counters: ($counters | lines | map(split("\t") | select(.[9] != "begin") | {key: .[8], value: ((.[10] | tonumber) - (.[9] | tonumber))}) | from_entries)}}'
}
# reaches ENGINE OPTION=VALUE ARGUMENTS TRUTH: which is one about a run with the option, and one without
reaches () {
	engine=$1 option=$2 arguments=$3 truth=$4
	# shellcheck disable=SC2086 # words
	{ run_seen set "$engine" $arguments "--$option" && run_seen unset "$engine" $arguments; } >"$work/both" || { cat "$work/both"; return 1; }
	jq -se '
		def names($like): [.files | keys[] | select(test($like))] | length;
		def bytes($like): [.files | to_entries[] | select(.key | test($like)).value] | add // 0;
		def opens($like): [.calls | scan("openat\\([^)]*" + $like)] | length;
		def calls_of($name): [.calls | scan("[0-9] " + $name)] | length;
		def stated($name): [.said | capture($name + " (?<n>[0-9]+)").n | tonumber][0] // 0;
		add | '"$truth" "$work/both" >"$work/jq" && return
	echo "bench_$engine --$option: not true: $truth"
	jq -c '(.set // .unset) | del(.said, .text, .calls, .row) + {row: (.row | {syncs, write_amp, io_wchar_bytes, io_write_calls, mean_us, conflicts, bg_cpu_s, syncs_per_commit, rss_anon_kb})}' "$work/both" || :
	return 1
}
# options_of ENGINE: those of its driver
options_of () {
	grep "^$1$tab" "$top/test/driver_options.tsv" >"$work/of-driver"
	while IFS="$tab" read -r engine option arguments truth
	do
		case $truth in
		test/cases/*) grep -q -F -e "--${option%%=*}=" "$top/$truth" || { echo "$truth has no --${option%%=*}"; return 1; } ;;
		-:*) ;;
		*) reaches "$engine" "$option" "$arguments" "$truth" || return 1 ;;
		esac
	done <"$work/of-driver"
}
# Of each driver's source, whether or not it is built here.
options_listed () {
	for file in "$top"/engines/*.c "$top"/engines/lmdb_common.h
	do
		engine=$(basename "${file%.*}")
		sed -n 's/^	{"\([a-z_]*\)", ".*/\1/p' "$file" | sed "s/^/$engine /"
	done | awk '$1 == "lmdb_common" { print "lmdb", $2; print "mdbx", $2; next } { print }' | sort -u >"$work/options-there"
	awk -F '[\t=]' '!/^#/ { print $1, $2 }' "$top/test/driver_options.tsv" | sort >"$work/options-listed"
	# and some of those that all drivers have
	comm -23 "$work/options-there" "$work/options-listed" | tee "$work/unlisted"
	[ ! -s "$work/unlisted" ]
}
ok 'each option of each driver has a row that says how it is seen to reach the engine' options_listed
for engine in $(grep -v '^#' "$top/test/driver_options.tsv" | cut -f 1 | uniq)
do
	name="$engine: each option of its driver is seen in the engine's reports, files, calls or figures"
	if [ ! -x "$top/bench_$engine" ]
	then
		skip "$name" 'its library is not installed'
	elif ! strace -f true 2>"$work/strace" && grep -q "^$engine$tab.*trace=" "$top/test/driver_options.tsv"
	then
		skip "$name" 'strace may not trace here'
	else
		ok "$name" options_of "$engine"
	fi
done
