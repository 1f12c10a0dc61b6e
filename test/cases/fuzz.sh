# fuzz.sh: wrong input, and what reads the sources.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

# The same inputs each time, as many as there is time for; with --long others.
wrong_input () {
	make_quiet fuzz FUZZ='--seed=1' FUZZ_SECONDS=6 BUILD="$work/"
}
if "$top/scripts/install-deps.sh" libclang-rt-dev 2>"$work/why"
then
	if [ -n "$long" ]
	then
		ok 'ten minutes of wrong input are read or refused, and nothing else happens' make_quiet fuzz-long BUILD="$work/"
	else
		ok 'wrong input is read or refused, and nothing else happens' wrong_input
	fi
else
	skip 'wrong input' "$(tail -n 1 "$work/why")"
fi

if "$top/scripts/install-deps.sh" cppcheck clang-tidy 2>"$work/why"
then
	ok 'cppcheck has nothing to say' make_quiet cppcheck
	[ -z "$long" ] || ok 'nor have clang-tidy and shellcheck' make_quiet lint
else
	skip 'cppcheck and clang-tidy' "$(tail -n 1 "$work/why")"
fi

# Every other version of clang-format breaks other lines.
has_the_style () {
	make_quiet formatted
	sed 's/^\t/    /' "$top/util/address.c" >"$work/spaces.c"
	! make_quiet formatted FORMATTED="$work/spaces.c" || return 1
}
if "$top/scripts/install-deps.sh" clang-format-19 2>"$work/why"
then
	ok 'all C has the style of .clang-format' has_the_style
else
	skip 'all C has the style of .clang-format' "$(tail -n 1 "$work/why")"
fi
