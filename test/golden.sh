#!/bin/sh
# golden.sh: what the readers of rows print in two trees, compared; see --help.
set -eu
. "$(dirname "$0")/../scripts/common.sh"

help () {
	cat <<END
usage: test/golden.sh [option ...] TREE_A TREE_B

Runs the commands of test/golden/commands.tsv, which read rows and print or draw what is in them,
from two trees on the same rows, and compares what they print on both streams and their exit
status: byte for byte, JSON by value, HTML but for white space between tags and the order of
attributes. It is for a change of a reader that must not change what it says. Nothing is
measured: programs and gnuplot are replaced by those of test/golden.

  --rows=DIRECTORY      further inputs: DIRECTORY/NAME.json are rows, DIRECTORY/NAME/ what a sweep
                        left [only results/reference of this tree]
  --only=REGEX          only commands whose names match; names are COMMAND.INPUT [all]
  --cache=DIRECTORY     keep what the trees said there, by their commits, and take it from there if
                        it was kept; a tree with changes is run anew. TREE_A may then be a commit
  --out=DIRECTORY       write what differs there, as NAME.a and NAME.b
  --lines=N             lines of each difference that are printed [20]
  --list                print the names and exit
  --help                this

Both trees need build/stats, build/hdrmerge and build/tracecat; this one also bench_null.
Exit status: 0 all is equal; 1 something differs, or was not kept; 2 wrong arguments.
END
}

rows='' only=. cache='' out='' lines=20 list='' one='' two=''
for argument
do
	value=${argument#*=}
	case $argument in
	--help) help; exit 0 ;;
	--rows=?*) rows=$(cd "$value" && pwd) || fail 2 "--rows: no directory $value" ;;
	--only=?*) only=$value ;;
	--cache=?*) cache=$value ;;
	--out=?*) out=$value ;;
	--lines=?*) lines=$value ;;
	--list) list=1 ;;
	-*) fail 2 "cannot read '$argument'; see --help" ;;
	*) [ -z "$two" ] || fail 2 "two trees, not also '$argument'"
		if [ -z "$one" ]; then one=$argument; else two=$argument; fi ;;
	esac
done
whole --lines "$lines"
needs jq python3
top=$(cd "$(dirname "$0")/.." && pwd)
golden=$top/test/golden
make_work
tab=$(printf '\t')

# Inputs: name, path, and a sum of what is in it.
sum () {
	find "$1" -type f | sort | tr '\n' '\0' | xargs -0 cat | cksum | tr ' ' -
}
{
	printf '%s\t%s\n' - /dev/null
	for file in "$top"/results/reference/*/rows.json "$top"/results/reference/*/*/rows.json
	do
		name=${file#"$top/results/reference/"}
		printf 'ref-%s\t%s\n' "$(echo "${name%/rows.json}" | tr / -)" "$file"
	done
	[ -z "$rows" ] || for file in "$rows"/*
	do
		if [ -d "$file" ]
		then
			printf '%s/\t%s\n' "${file##*/}" "$file"
		else
			name=${file##*/}
			printf '%s\t%s\n' "${name%.json}" "$file"
		fi
	done
} >"$work/inputs"

# The list: name, form, input, command.
grep -v '^#' "$golden/commands.tsv" | tr -s '\t' >"$work/commands"
some=$(sed -n "s/^#some$tab//p" "$golden/commands.tsv")
while IFS=$tab read -r name form pattern command
do
	case $pattern in
	all) pattern='[^/-][^/]*' ;;
	some) pattern=$some ;;
	esac
	while IFS=$tab read -r input path
	do
		printf '%s\t%s\t%s\t%s\n' "$name.$input" "$form" "$path" "$command"
	done <<END
$(grep -E "^($pattern)$tab" "$work/inputs")
END
done <"$work/commands" | awk -F '\t' '$4 != ""' | sed 's|/\t|\t|' >"$work/every"
awk -F '\t' -v only="$only" '$1 ~ only' "$work/every" >"$work/list"
[ -s "$work/list" ] || fail 2 "--only: no command has a name like '$only'"
[ -z "$list" ] || { cut -f 1 "$work/list"; exit 0; }
[ -n "$two" ] || fail 2 "which trees? usage: test/golden.sh [option ...] TREE_A TREE_B"
[ -x "$top/bench_null" ] || fail 2 "bench_null is not built here; make bench_null"

# key TREE: what its outcomes are kept under; nothing if it is not as committed
key () {
	[ -d "$1" ] || { echo "$1"; return; }
	[ -n "$(git -C "$1" status --porcelain -- scripts results util 2>&1)" ] ||
		git -C "$1" rev-parse HEAD
}

# prepare TREE: a tree at a place that is the same for both, with programs that measure
# nothing
prepare () {
	tree=$(cd "$1" && pwd)
	for program in stats hdrmerge
	do
		[ -x "$tree/build/$program" ] || fail 2 "build/$program is not built in $1"
	done
	rm -rf "${work:?}/tree" "${work:?}/bin"
	mkdir "$work/tree" "$work/bin"
	find "$tree" -mindepth 1 -maxdepth 1 ! -name 'bench_*' ! -name scripts ! -name .git \
		-exec ln -s {} "$work/tree" \;
	cp -R "$tree/scripts" "$work/tree/scripts"
	for program in null lmdb leveldb golden golden-1 golden-2 golden-3
	do
		cp "$golden/bench.sh" "$work/tree/bench_$program"
	done
	cp "$golden/gnuplot.sh" "$work/bin/gnuplot"
}

# normal FORM: without what is not the same twice; paths of this run are all below $work
normal () {
	sed "s|$work/tmp/[A-Za-z0-9_.-]*|TEMPORARY|g; s|$work|WORK|g; s|$top/results|RESULTS|g
		s|${rows:-$top/results}/|ROWS/|g" | case $1 in
	html | json) python3 "$golden/normal.py" "$1" ;;
	*) cat ;;
	esac
}

# outcome NAME FORM INPUT COMMAND >FILE: of that command in the prepared tree
outcome () {
	rm -rf "$work/here" "$work/tmp"
	mkdir "$work/here" "$work/tmp"
	status=0
	labels=$work/labels-$(echo "$3" | cksum | tr ' ' -)
	[ -e "$labels" ] || [ -d "$3" ] || grep -o '"label": *"[^"]*"' "$3" |
		sed 's/.*: *"//; s/"$//' | awk '!seen[$0]++' >"$labels" || :
	(cd "$work/here" && env TMPDIR="$work/tmp" PATH="$work/bin:$PATH" COLUMNS= \
		scripts="$work/tree/scripts" rows="$3" golden="$golden" real="$top/bench_null" \
		first="$(sed -n 1p "$labels" 2>/dev/null)" \
		second="$(sed -n 2p "$labels" 2>/dev/null)" \
		sh -c "$4" >"$work/stdout" 2>"$work/stderr" </dev/null) || status=$?
	normal "$2" <"$work/stdout"
	echo "---- stderr"
	normal text <"$work/stderr"
	echo "---- status $status"
}

# outcomes TREE DIRECTORY NOTE: of all commands into files of the directory; those that it has
# of the same command and input already are left as they are
outcomes () {
	prepared=''
	with=$(cat "$golden/bench.sh" "$golden/bench.jq" "$golden/gnuplot.sh" \
		"$golden/normal.py" "$golden/row.json" | cksum)
	while IFS=$tab read -r name form path command <&3
	do
		of="$command $(sum "$path")$with"
		of=$(echo "$of" | cksum)
		[ "$(cat "$2/$name.of" 2>/dev/null)" != "$of" ] || continue
		if [ ! -d "$1" ]
		then
			echo "not kept: $name" >>"$work/lacking"
			continue
		fi
		[ -n "$prepared" ] || { prepare "$1"; prepared=1; }
		outcome "$name" "$form" "$path" "$command" >"$work/outcome"
		mv "$work/outcome" "$2/$name"
		echo "$of" >"$2/$name.of"
		[ ! -t 2 ] || printf '\r\033[K%s' "$name" >&2
	done 3<"$work/list"
	[ ! -t 2 ] || printf '\r\033[K' >&2
}

# kept TREE OTHERWISE: the directory of its outcomes
kept () {
	key=$([ -z "$cache" ] || key "$1")
	echo "${key:+$cache/}${key:-$2}"
}
[ -d "$one" ] || [ -n "$cache" ] || fail 2 "no directory $one; a commit needs --cache"
of_one=$(kept "$one" "$work/a")
of_two=$(kept "$two" "$work/b")
mkdir -p "$of_one" "$of_two"
: >"$work/lacking"
outcomes "$one" "$of_one"
outcomes "$two" "$of_two"
cat "$work/lacking"

same=0 differing=0
while IFS=$tab read -r name _
do
	if [ ! -e "$of_one/$name" ]
	then
		continue
	elif cmp -s "$of_one/$name" "$of_two/$name"
	then
		same=$((same + 1))
		continue
	fi
	differing=$((differing + 1))
	echo "differs: $name"
	diff "$of_one/$name" "$of_two/$name" | head -n "$lines" | cut -c 1-300
	[ -z "$out" ] || {
		mkdir -p "$out"
		cp "$of_one/$name" "$out/$name.a"
		cp "$of_two/$name" "$out/$name.b"
	}
done <"$work/list"
echo "$same equal, $differing differ"
[ "$differing" -eq 0 ] && [ ! -s "$work/lacking" ]
