# door.sh: what a stranger meets first: the version, help, manual, columns, completion, and what is installed or packaged.
# shellcheck shell=sh disable=SC2154,SC2016,SC2317 # sourced by test.sh, which has the variables

version=$("$top/bench_null" --version | sed 's/^assay \([^ ]*\) .*/\1/')
released=$(date -d "$("$top/bench_null" --man | sed -n 's/^[.]Dd //p')" +%F)

one_version () {
	echo "version $version, $released"
	[ "$(grep -c "\"$version\"" "$top/bench.c")" -eq 1 ] &&
		"$top/bench_null" --man | grep -q -x ".Os assay $version" &&
		[ "$(sed -n '/^## [0-9]/{p;q;}' "$top/CHANGELOG")" = "## $version, $released" ] &&
		head -n 1 "$top/scripts/debian/changelog" | grep -q "^assay ($version-[1-9]"
}
ok 'the version stands in one place, and what repeats it agrees' one_version
builds_with_all () {
	for package in $(make -C "$top" -s packages)
	do
		grep -q -x " $package," "$top/scripts/debian/control" || { echo "no $package"; return 1; }
	done
}
ok 'the Debian package builds with the library of each engine' builds_with_all

# An apt-get that installs nothing before it has lists.
fetches_lists_once () {
	[ "$(id -u)" -eq 0 ] || cannot 'sudo has a path of its own'
	mkdir "$work/apt"
	cat >"$work/apt/apt-get" <<-'END'
		#!/bin/sh
		case $* in
		*update) echo update >>"${0%/*}/calls"; : >"${0%/*}/lists" ;;
		*) echo install >>"${0%/*}/calls"; [ -e "${0%/*}/lists" ] ;;
		esac
	END
	chmod +x "$work/apt/apt-get"
	for _ in 1 2
	do
		PATH="$work/apt:$PATH" "$top/scripts/install-deps.sh" not-a-package
	done
	paste -s -d ' ' "$work/apt/calls" | grep -x 'install update install install'
}
ok 'lists of packages are fetched where an install fails without them, and no more' fetches_lists_once

columns_are_documented () {
	"$top/scripts/gen-docs.sh" --columns | diff "$top/docs/columns.md" - &&
		"$top/bench_null" --columns=tsv | awk -F '\t' 'NR > 1 && (NF != 5 || !$2 || $5 !~ /[.]$/) { print; bad = 1 } END { exit bad || NR < 150 }' &&
		grep -q '(columns.md)' "$top/docs/index.md"
}
ok 'docs/columns.md is what the program says of its columns, each with unit and meaning' columns_are_documented

reads_a_row () {
	mkdir "$work/reads" && cd "$work/reads" || return 1
	"$top/bench_null" --benchmarks=readrandom --num=1k --json=results.json >"$work/out" || return 1
	sed -n "/^    jq '/,/ results.json\$/p" "$top/docs/reading-results.md" >query
	sh query >row && jq -es '.[0] | .valid == 1 and .cold == null and length > 10' row
}
ok "a page's way to read a row reads one" reads_a_row

# form: what is left of a run's output without its figures
form () {
	sed 's/^\([A-Za-z]*:\) .*/\1/; s/[0-9.][0-9.]*/N/g; s/  */ /g'
}
readme_is_true () {
	TMPDIR=$work bench lmdb --benchmarks=fillseqbatch,readrandom --num=10k | form >"$work/form" || return 1
	sed -n 's/^    //; /^assay: /,/^readrandom /p' "$top/README.md" | form | diff "$work/form" -
}
ok "README's output has the form of a run's" readme_is_true

# Every script that is called by name; those without the right to be executed are sourced.
scripts=$(cd "$top" && find scripts -name '*.sh' -perm -u=x | sort)
helps () {
	"$top/scripts/assay.sh" --help >"$work/commands" || return 1
	for script in $scripts
	do
		if ! "$top/$script" --help >"$work/help" 2>"$work/err" || [ -s "$work/err" ] ||
			! head -n 1 "$work/help" | grep -q '^usage: '
		then
			echo "$script --help: $(cat "$work/err")"
			return 1
		fi
		fails 2 '' "$top/$script" --nosuch || return 1
		command=$(basename "$script" .sh)
		[ "$command" = assay ] || grep -q "^  $command  *[^ ]" "$work/commands" ||
			{ echo "$script: no sentence in its second line"; return 1; }
	done
}
ok 'every script answers --help, and refuses what it does not know in one line' helps

ok 'assay runs a command, in its own words for help' sh -c "
	'$top/scripts/assay.sh' published --json | grep -q '\"id\"' &&
	'$top/scripts/assay.sh' sweep --help | grep -q '^usage: assay sweep --out'"
ok 'assay refuses what is no command' fails 2 "no command 'nosuch'" "$top/scripts/assay.sh" nosuch
ok 'assay passes on what a command says and returns' fails 2 'out=DIRECTORY is missing' "$top/scripts/assay.sh" sweep

manuals () {
	make_quiet man || return 1
	for page in "$top"/build/man/*.1
	do
		mandoc -T lint -W warning "$page" || return 1
		name=$(basename "$page" .1)
		case $name in
		bench_*) "$top/$name" --options=tsv | sed 1d | cut -f 2 | sed 's/^/--/' ;;
		assay) "$top/scripts/assay.sh" --help ;;
		*) "$top/scripts/assay.sh" "${name#assay-}" --help ;;
		esac | sed -n 's/^ \{0,2\}--\([a-z_-]*\).*/\1/p' | sort >"$work/options"
		sed -n 's/\\-/-/g; s/^[.]It Fl Fl \([a-z_-]*\).*/\1/p; s/^[.]B --\([a-z_-]*\).*/\1/p' "$page" | sort |
			diff "$work/options" - ||
			{ echo "$name"; return 1; }
	done
	[ "$(find "$top/build/man" -name 'assay*.1' | wc -l)" -eq "$(echo "$scripts" | wc -l)" ]
}
ok 'every program and script has a manual page with its options, without a warning of mandoc' manuals

# completed LINE: what bash offers at its end, in words as bash breaks them
completed () {
	bash -c '
		. "$0/scripts/tools/completion.bash" && cd "$0" || exit
		COMP_WORDBREAKS=$(printf " \t\n\"\047@><=;|&(:")
		COMP_LINE=$1 COMP_POINT=${#1} rest=${1//=/ = }
		read -ra COMP_WORDS <<<"$rest"
		[[ $1 != *[=\ ] ]] || COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_assay "${COMP_WORDS[0]}" "${COMP_WORDS[COMP_CWORD]}"
		echo "${COMPREPLY[*]}"' "$top" "$1"
}
completions () {
	shellcheck -s bash "$top/scripts/tools/completion.bash" || return 1
	while IFS='|' read -r line offered
	do
		got=$(completed "$line")
		[ "$got" = "$offered" ] || { echo "$line offers '$got', not '$offered'"; return 1; }
	done
}
ok 'bash completes options, their values, benchmarks, engines and commands' completions <<'END'
./bench_lmdb --durab|--durability=
./bench_lmdb --durability=|none async sync
./bench_lmdb --durability=s|sync
./bench_lmdb --maps|--mapsize=
./bench_null --maps|
./bench_null --preset=uc|ucsb
./bench_null --benchmarks=fillseq,readrandomw|fillseq,readrandomwriterandom
./bench_null --benchmarks=fillseq@4,readrandomw|4,readrandomwriterandom
./bench_null --json=re|
scripts/assay.sh swe|sweep
scripts/assay.sh sweep --engines|--engines=
scripts/assay.sh sweep --engines=null,nu|null,null
scripts/assay.sh sweep --durability=a|async
scripts/assay.sh sweep --engines=memst|
scripts/assay.sh claims --pub|--published
scripts/assay.sh nosuch --x|
END

# as_nobody COMMAND...: by a user who owns nothing, where this is root
as_nobody () {
	if [ "$(id -u)" -eq 0 ]
	then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
installed () {
	tree="$work/a tree"
	make_quiet install DESTDIR="$tree" PREFIX=/opt/a >"$work/out" || return 1
	[ "$(readlink -f "$tree/opt/a/share/assay/bench_null")" = "$tree/opt/a/bin/bench_null" ] || return 1
	chmod -R a-w "$tree"
	chmod a+x "$work"
	mkdir "$work/user"
	chmod a+rwx "$work/user"
	touch "$work/stamp"
	as_nobody env PATH="$tree/opt/a/bin:$PATH" TMPDIR="$work/user" sh -euc 'cd "$0"
		bench_null --benchmarks=readrandom --num=1k >out
		bench_null --benchmarks=readrandom --num=1k --hdr_log=log >out
		assay hdrmerge log >merged
		assay sweep --out=s --engines=null --benchmarks=readrandom --threads=1,2 --num=1k --duration=0.1 --databases=dbs
		assay plot s
		assay claims --published >claims
		assay voron-2013 --dry-run --scale=small >dry' "$work/user" || return 1
	[ "$(sed -n 2p "$work/user/merged" | cut -f 1,3)" = "$(printf 'null.readrandom.read\t1000')" ] && [ -d "$work/user/dbs" ] && grep -q -- "--out=$work/user/voron-2013-" "$work/user/dry" && [ -s "$work/user/s/plots/readrandom-readers.svg" ] && grep -q '^| ' "$work/user/claims" &&
		[ -z "$(find "$tree" -newer "$work/stamp")" ]
}
ok 'what is installed works for a user who cannot write to it, and leaves results where that user is' installed
# What make would do about a version, in a tree that has one of an empty library.
version_installed () {
	mkdir -p "$work/versioned/build/engines/lmdb-1/lib"
	echo 'origin	here' >"$work/versioned/build/engines/lmdb-1/facts"
	touch "$work/versioned/build/engines/lmdb-1/lib/liblmdb.so"
	make -C "$top" -n -o man install VERSIONS=lmdb-1 DESTDIR="$work/versioned/to" PREFIX=/p 2>&1 | sed -n '/^for v in/,/done$/p' >"$work/versioned/steps"
	cat "$work/versioned/steps"
	cd "$work/versioned" || return 1
	sh -eu steps
	cmp to/p/lib/assay/lmdb-1/facts build/engines/lmdb-1/facts && [ -e to/p/lib/assay/lmdb-1/liblmdb.so ]
}
ok "an engine's version is installed with its library and what is known of that" version_installed
uninstalled () {
	chmod -R u+w "$tree"
	touch "$tree/opt/a/bin/others" "$tree/opt/a/share/assay/scripts/others"
	# as root's first use leaves it
	env -u PYTHONPYCACHEPREFIX python3 -m compileall -q "$tree/opt/a/share/assay/scripts/reading" || return 1
	[ -d "$tree/opt/a/share/assay/scripts/reading/__pycache__" ] || return 1
	make_quiet uninstall DESTDIR="$tree" PREFIX=/opt/a >"$work/out" || return 1
	find "$tree" ! -type d
	[ "$(find "$tree" ! -type d | grep -c -x -F -e "$tree/opt/a/bin/others" -e "$tree/opt/a/share/assay/scripts/others")" -eq 2 ] &&
		[ "$(find "$tree" ! -type d | wc -l)" -eq 2 ] && [ ! -e "$tree/opt/a/share/doc/assay" ]
}
tree="$work/a tree"
ok 'and make uninstall takes all of it away again, and nothing else' uninstalled

from_archive () {
	[ "$(make -C "$top" -s BUILD="$work/dist/" dist 2>"$work/err")" = "$work/dist/assay-$version.tar.gz" ] &&
		tar -xf "$work/dist/assay-$version.tar.gz" -C "$work/dist" || return 1
	cd "$work/dist/assay-$version" || return 1
	make -s -j2 OPT='-O0 -g0' bench_null && ./bench_null --benchmarks=readrandom --num=1k --verify=1 &&
		./bench_null --version | grep -q "^assay $version ($(git -C "$top" rev-parse --short HEAD)" &&
		make -s dist 2>&1 | grep 'this is no clone'
}
# names: the object has the name of the tree as it is
names () {
	make -s OPT='-O0 -g0' build/bench.o
	git describe --always --dirty
	grep -a -q -F -e "$(git describe --always --dirty)" build/bench.o
}
stamped () {
	git clone -q "$top" "$work/stamped"
	cd "$work/stamped" || return 1
	names
	echo >>LICENSE
	names
	grep -a -q -e '-dirty' build/bench.o
	git -c user.name=a -c user.email=a@b commit -q -a -m 'another'
	names
	! grep -a -q -e '-dirty' build/bench.o
}
if git -C "$top" rev-parse HEAD >"$work/out" 2>&1
then
	ok 'a program says of which commit it is, whatever has changed since it was built last' stamped
	ok 'make dist makes an archive that builds and runs without git, and knows its commit' from_archive
else
	skip 'the commit of a program, and make dist' 'this is no clone'
fi

packaged () {
	"$top/scripts/install-deps.sh" build-essential debhelper lintian || return 1
	make_quiet BUILD="$work/package/" deb || return 1
	lintian --fail-on error "$work"/package/deb/*.changes && dpkg -x "$work"/package/deb/assay_*.deb "$work/package/root" &&
		"$work/package/root/usr/bin/bench_null" --benchmarks=readrandom --num=1k
}
if [ -n "$long" ]
then
	ok 'dpkg-buildpackage makes source and binary packages, without an error of lintian' packaged
else
	skip 'the Debian package' 'takes a minute; ./test.sh --long has it'
fi
