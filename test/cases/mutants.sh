# mutants.sh: faults that are planted on purpose are noticed. With --long all of them.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# mutant NAME OLD NEW: of the version, and what says it
mkdir "$work/planted"
mutant () {
	printf '# The version is another.\nin: bench.c util/nothing*.c\nold: %s\nnew: %s\ntest: %s\n' "$2" "$3" \
		'grep "^#define VERSION \"[0-9]" bench.c && echo "ok 1 - version" || { echo "not ok 1 - version"; exit 1; }' >"$work/planted/$1"
}
mutant found '#define	 VERSION "' '#define VERSION "x'
mutant harmless '#define VERSION' '#define VERSION'
mutant lost 'no such text' 'another'
mutant twice '#include <' '#include  <'
sed 's/^test:.*/test: false/' "$work/planted/found" >"$work/planted/broken"
sed 's/echo "not ok 1 - version"; exit 1;/exit 3;/' "$work/planted/found" >"$work/planted/breaking"
sed 's/echo "not ok 1 - version"; exit 1;/no-such-command;/' "$work/planted/found" >"$work/planted/missing"
sed 's/echo "not ok 1 - version"; exit 1;/kill -ABRT $$;/' "$work/planted/found" >"$work/planted/crashing"
sed 's/^test:.*/test: echo "ok 1 - a # skip no device here"/' "$work/planted/found" >"$work/planted/skipped"
sed 's/^in:.*/in: scripts\/tools\/stats.c/; s/^old:.*/old: int main(/; s/^new:.*/new: int 1main(/; s/^test:/build: build\/stats\n&/' \
	"$work/planted/found" >"$work/planted/bent"

# The runner in a tree that is soon copied: what it needs, and the files of these mutants.
mkdir "$work/few" "$work/few/test"
cp -R "$top/Makefile" "$top/bench.c" "$top/bench" "$top/util" "$top/engines" "$top/scripts" "$work/few"
cp "$top/test/mutate.sh" "$top/test/plant.awk" "$work/few/test"
# says STATUS PATTERN NAME ...: what the runner comes to
says () {
	want=$1 pattern=$2
	shift 2
	got=0
	"$work/few/test/mutate.sh" --from="$work/planted" "$@" >"$work/out" 2>"$work/err" || got=$?
	cat "$work/out" "$work/err"
	[ $got -eq "$want" ]
	grep -q -e "$pattern" "$work/out" "$work/err"
}
ok 'a fault that a test notices is killed' says 0 '^1 of 1 mutants killed$' found
ok 'one that changes nothing survives, by name' says 1 '^harmless survived: The version is another' harmless found
ok 'one without a place says so' says 1 "^lost has no place: 'no such text' stands 0 times, not once" lost
ok 'and one with several' says 1 'stands [1-9][0-9]* times, not once' twice
ok 'and so it is said without trying them' says 1 '^0 of 2 mutants have their places$' --places lost twice
ok 'one that does not compile says so' says 1 '^bent does not compile: .*error' bent
ok 'a test that fails without a fault notices none' says 1 '^broken its test fails without it' broken
ok 'nor does one that breaks with it and says of no test that it failed' says 1 '^breaking its test broke, with status 3' breaking
ok 'nor one whose command is not there' says 1 '^missing its test broke, with status 127' missing
ok 'one that crashes has noticed' says 0 '^1 of 1 mutants killed$' crashing
ok 'one that cannot run here is not counted' says 0 '^0 of 0 mutants killed, 1 not tried here' skipped
# The same of one commit; which they are, follows from that.
a_sample () {
	mkdir "$work/five"
	for name in a b c d e
	do
		cp "$work/planted/harmless" "$work/five/$name"
	done
	says 1 '^0 of 2 mutants killed$' --from="$work/five" 2
	cp "$work/out" "$work/sample"
	says 1 '^0 of 2 mutants killed$' --from="$work/five" 2
	diff "$work/sample" "$work/out"
}
ok 'a sample has its size, and is the same as long as the commit is' a_sample
ok 'what is no mutant is refused' says 2 "no mutant 'nosuch'" nosuch

mutants () {
	"$top/test/mutate.sh" "$@"
}
# One is planted below, but all have their places.
ok 'each fault in test/mutants has its place' mutants --places
if [ -n "$long" ]
then
	ok 'every fault in test/mutants is noticed' mutants
else
	ok 'one of the faults in test/mutants is noticed' mutants 1
fi
