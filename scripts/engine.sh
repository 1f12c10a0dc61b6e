#!/bin/sh
# engine.sh: build engines in other versions than the system's, several side by side; see --help.
set -eu
. "$(dirname "$0")/common.sh"
needs_linux 'packages of Debian' "$@"

help () {
	cat <<END
usage: scripts/engine.sh list
       scripts/engine.sh build NAME[-VERSION] ...
       scripts/engine.sh build NAME[-VERSION] --source=DIRECTORY|ARCHIVE [--version=VERSION]

Builds an engine's library in a given version, and the program bench_NAME-VERSION for it, to compare
versions of an engine: sweep.sh --engines=rocksdb,rocksdb-10.2.1. Sources are downloaded by the
package clients apt, pip, cargo, npm and mvn. engines/sources.tsv lists them with their hashes; a
download with another hash is refused. Missing package clients and build tools are installed, which
is announced first. Engines in other languages need that language's tools; the lock files in
engines/LANGUAGE/ have the hashes.

  list                  print which versions there are, which are built, what each downloads and
                        how long it takes
  build                 build these; a name without a version is the last one of the table
  --source=WHERE        build this instead of a download; an archive of a version in the table
                        must have its hash
  --version=VERSION     version of a source that is not in the table
  --library             build the library alone, without its program
  --help                this

build/engines/NAME-VERSION gets include, lib and facts, which describes the build and is the column
engine_build. Downloads are kept in build/engines/archives.
Exit status: 0 all are built, 1 one is not, 2 wrong arguments.
END
}

source='' given='' wanted='' alone='' verb=
for argument
do
	case $argument in
	--help) help; exit 0 ;;
	--source=?*) source=${argument#*=} ;;
	--version=?*) given=${argument#*=} ;;
	--library) alone=1 ;;
	-*) refuse "$argument" ;;
	*)
		if [ -z "$verb" ]; then verb=$argument; else wanted="$wanted $argument"; fi
		;;
	esac
done
case $verb in
list) [ -z "$wanted$source$given" ] || fail 2 "list takes no arguments; see --help" ;;
build) [ -n "$wanted" ] || fail 2 "build what? engine.sh list has the names" ;;
'') fail 2 "list or build? see --help" ;;
*) fail 2 "cannot read '$verb'; give list or build, see --help" ;;
esac
case $given in
*[!A-Za-z0-9.]*) fail 2 "--version: '$given' has other characters than letters, digits and dots" ;;
esac
if [ -n "$source" ]
then
	case $wanted in
	' '*' '*) fail 2 "--source is that of one engine; name one" ;;
	esac
	[ -e "$source" ] || fail 2 "--source: there is no $source"
	source=$(readlink -f "$source")
elif [ -n "$given" ]
then
	fail 2 "--version goes with --source; of the table's versions say NAME-VERSION"
fi

cd "$(dirname "$0")/.."
top=$PWD
built=$top/build/engines
[ -e Makefile ] ||
	fail 1 "$top has no sources of assay to build with; run this in a clone"

# fail_engine TEXT: the end, of the row's engine
fail_engine () {
	fail 1 "$name-$version: $1"
}

# engine_columns WORD [ARCHIVE]: the table's row of NAME-VERSION, or the last one of NAME, of those
# that are jars as ARCHIVE or that are none; nothing if there is none
engine_columns () {
	awk -F '\t' -v word="$1" -v archive="${2-}" '
		!/^#/ && FNR > 1 && (word == $1 || word == $1 "-" $2) &&
			(archive == "" || (archive ~ /[.]jar$/) == ($5 ~ /[.]jar$/)) { row = $0 }
		END { print row }' engines/sources.tsv
}

# read_engine_row ROW: its columns as variables; those that are empty are -
read_engine_row () {
	IFS=$tab read -r name version client package file sha256 driver recipe from \
		defines needs objects seconds megabytes note <<END
$1
END
}

list_engines () {
	{
		echo "engine${tab}from${tab}MB${tab}seconds${tab}built${tab}"
		grep -v '^#' engines/sources.tsv | tail -n +2 | while IFS= read -r row
		do
			read_engine_row "$row"
			there=-
			[ ! -e "$built/$name-$version/facts" ] || there=yes
			[ "$note" != - ] || note=
			printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$name-$version" "$client" \
				"$megabytes" "$seconds" "$there" "$note"
		done
		for facts in "$built"/*/facts
		do
			[ -e "$facts" ] || continue
			build=$(basename "$(dirname "$facts")")
			[ -n "$(engine_columns "$build")" ] ||
				printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$build" source - \
				- yes "$(engine_fact "$facts" origin)"
		done
	} | awk -F '\t' '
		{
			for (i = 1; i <= NF; i++) {
				cell[NR, i] = $i
				if (length($i) > width[i]) width[i] = length($i)
			}
		}
		END {
			for (n = 1; n <= NR; n++) {
				line = ""
				for (i = 1; i <= 5; i++)
					line = line sprintf((i == 3 || i == 4 ? "%" : "%-") \
						width[i] "s  ", cell[n, i])
				line = line cell[n, 6]; sub(/ +$/, "", line); print line
			}
		}'
}

# engine_fact FILE NAME: what it says of that
engine_fact () {
	sed -n "s/^$2$tab//p" "$1"
}

engine_source_hash () {
	sha256sum "$1" | cut -d ' ' -f 1
}

# install_for_engine COMMAND PACKAGE ...: the Debian packages, if there is no such command
install_for_engine () {
	! command -v "$1" >/dev/null || return 0
	shift
	scripts/install-deps.sh "$@" || exit
}

# Of a private list, as source packages are rarely among those that the system asks for.
fetch_apt () {
	mkdir -p "$work/apt/parts" "$work/apt/lists" &&
		for list in /etc/apt/sources.list /etc/apt/sources.list.d/*
		do
			case $list in
			*.sources) sed 's/^Types:.*/Types: deb-src/' \
				"$list" >"$work/apt/parts/$(basename "$list")" ;;
			*.list) [ ! -e "$list" ] ||
				sed -n 's/^deb /deb-src /p' \
				"$list" >"$work/apt/parts/$(basename "$list")" ;;
			esac || return
		done
	set -- -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/apt/parts" \
		-o Dir::State::Lists="$work/apt/lists" -o APT::Sandbox::User=root
	# a list of others' that has no sources is no failure, if the package is found
	apt-get "$@" update || :
	apt-get "$@" source --download-only "$package"
}

fetch_mvn () {
	mvn -B -ntp dependency:copy -Dartifact="$package:jar" -DoutputDirectory="$PWD"
}

# pip asks an archive for its name by running what is in it; this answers instead, so that
# nothing of it runs.
fetch_pip () {
	mkdir -p backend/setuptools
	: >backend/setuptools/__init__.py
	cat >backend/setuptools/build_meta.py <<-END
		import os
		name, version = "$package".split("==")
		def get_requires_for_build_wheel(config_settings=None):
		    return []
		def prepare_metadata_for_build_wheel(directory, config_settings=None):
		    info = "%s-%s.dist-info" % (name.replace("-", "_"), version)
		    os.mkdir(os.path.join(directory, info))
		    with open(os.path.join(directory, info, "METADATA"), "w") as file:
		        file.write("Metadata-Version: 2.1\nName: %s\n" % name)
		        file.write("Version: %s\n" % version)
		    return info
		class __legacy__:
		    get_requires_for_build_wheel = staticmethod(get_requires_for_build_wheel)
		    prepare_metadata_for_build_wheel = staticmethod(
		        prepare_metadata_for_build_wheel)
	END
	export PYTHONPATH="$PWD/backend"
	fetch_by_pip --no-binary :all: --no-build-isolation --use-pep517
}

fetch_wheel () {
	fetch_by_pip --only-binary :all:
}

fetch_by_pip () {
	echo "$package --hash=sha256:$sha256" >requirements
	pip3 --disable-pip-version-check download --no-deps "$@" --require-hashes -r requirements
}

fetch_cargo () {
	cargo --version | awk '
		{
			split($2, part, ".")
			old = part[1] == 1 && part[2] < 68
			if (old)
				print "cargo " $2 " is too old, it needs 1.68 or a younger one," \
					" such as that of rustup"
			exit old
		}' || return
	mkdir -p src
	: >src/lib.rs
	printf '[package]\nname = "fetch"\nversion = "0.0.0"\n[dependencies]\n%s = "=%s"\n' \
		"${package%@*}" "${package#*@}" >Cargo.toml
	# `info` fetches that one alone, and is younger than some
	cargo info "$package" || cargo fetch || return
	cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$file" .
}

fetch_npm () {
	npm pack --ignore-scripts "$package"
}

# is_own_engine: the row's sources are a directory of this tree, whose lock file has what to fetch
is_own_engine () {
	[ -d "$top/$file" ]
}

# needs_engine_version COMMAND LEAST THERE ADVICE: it is not older than that; or the end
needs_engine_version () {
	said="$1 is not installed"
	[ -z "$3" ] || said="$1 is $3"
	printf '%s\n' "$2" "${3:-0}" | sort -C -V || fail_engine "$said; install $4"
}

# needs_engine_language: or say in a line what to install, before anything is made
needs_engine_language () {
	case $recipe in
	rust)
		least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$file/Cargo.toml")
		there=$(cargo --version 2>/dev/null | cut -d ' ' -f 2) || :
		needs_engine_version cargo "$least" "$there" \
			"Rust $least or younger, such as that of rustup"
		;;
	go)
		least=$(sed -n 's/^go //p' "$file/go.mod")
		there=$(GOTOOLCHAIN=local go version 2>/dev/null |
			sed 's/^go version go\([^ ]*\).*/\1/') || :
		needs_engine_version go "$least" "$there" \
			"Go $least or younger, such as that of Debian's backports"
		;;
	dotnet)
		[ "$(uname -m)" = x86_64 ] ||
			fail_engine "its packages are for x86-64, this is $(uname -m)"
		for there in mcs:mono-mcs pip3:python3-pip
		do
			command -v "${there%:*}" >/dev/null ||
				fail_engine "${there%:*} is not installed; apt install ${there#*:}"
		done
		;;
	esac
}

# own_engine_hash: of all the sources of that language
own_engine_hash () {
	find "$(dirname "$file")" -type f -name '[!.]*' | sort | xargs cat | sha256sum |
		cut -d ' ' -f 1
}

# fetch_engine: $file of this row in the archives, with the hash it must have
fetch_engine () {
	archive=$built/archives/$file
	mkdir -p "$built/archives"
	if [ ! -e "$archive" ]
	then
		case $client in
		mvn) install_for_engine mvn maven ;;
		pip) install_for_engine pip3 python3-pip ;;
		cargo | npm) install_for_engine "$client" "$client" ;;
		esac
		echo "$name-$version: fetching $package with $client, $megabytes MB" >&2
		mkdir -p "$work/fetch"
		(cd "$work/fetch" && "fetch_$client") >"$work/log" 2>&1 || :
		[ -e "$work/fetch/$file" ] || {
			tail -n 5 "$work/log" >&2
			fail_engine "$client did not fetch $package; see its message above"
		}
		refuse_other_engine "$work/fetch/$file"
		mv "$work/fetch/$file" "$archive"
	fi
	refuse_other_engine "$archive"
}

# refuse_other_engine ARCHIVE: if it is not the one of this row
refuse_other_engine () {
	[ "$(engine_source_hash "$1")" = "$sha256" ] ||
		fail_engine "$1 has another hash than engines/sources.tsv says and is \
not used; remove it to fetch it again"
}

unpack_engine () {
	case $1 in
	*.jar | *.zip) unzip -q "$1" -d "$2" ;;
	*.whl) python3 -m zipfile -e "$1" "$2" ;;
	*) tar -xf "$1" -C "$2" ;;
	esac
}

# enter_engine_sources DIRECTORY: go where the recipe begins: $from, below it or the one
# directory that it holds
enter_engine_sources () {
	cd "$1"
	[ "$(find . -mindepth 1 -maxdepth 1 | wc -l)" -ne 1 ] ||
		[ -z "$(find . -mindepth 1 -maxdepth 1 -type d)" ] || cd ./*
	[ ! -d "$from" ] || cd "$from"
}

# show_engine: how far a build is, while that process runs
show_engine () {
	began=$(date +%s) said=0 files=0
	while kill -0 "$1" 2>/dev/null
	do
		sleep 1
		now=$(($(date +%s) - began))
		[ -t 2 ] || [ $((now - said)) -ge 20 ] || continue
		said=$now
		if [ "$objects" = - ]
		then
			echo "$name-$version: $now s" >&2
			continue
		fi
		files=$(find "$work" -name '*.o' 2>/dev/null | wc -l)
		[ "$files" -le "$objects" ] || objects=$files
		left=
		[ "$files" -eq 0 ] || [ "$objects" -le "$files" ] ||
			left=", about $((now * (objects - files) / files)) s left"
		[ ! -t 2 ] || printf '\r'
		printf '%s: %s of some %s files%s    ' "$name-$version" "$files" \
			"$objects" "$left" >&2
		[ -t 2 ] || echo >&2
	done
	[ ! -t 2 ] || printf '\r%60s\r' '' >&2
}

# compile_engine: the recipe into $out; its flags and compiler into files, as it runs in a
# process of its own
compile_engine () {
	(
		set -e
		enter_engine_sources "$sources"
		# shellcheck disable=SC2030 # the recipe's are in files
		flags='-O2 -DNDEBUG -g -fno-omit-frame-pointer' compiler=${CC:-cc}
		"build_$recipe"
		echo "$flags" >"$work/flags"
		# shellcheck disable=SC2086
		[ -z "$compiler" ] || $compiler --version | head -n 1 >"$work/compiler"
	) >"$work/log" 2>&1 &
	compiling=$!
	show_engine $compiling
	wait $compiling || {
		tail -n 15 "$work/log" >&2
		fail_engine "its build failed; the end of its log is above"
	}
}

# engine_quickening: of the flags those that make a library fast or slow; words that are no flags
# as they are
engine_quickening () {
	sed -e 's/^[^-].*/&/; t; s/-D\(NDEBUG\)/-\1/; s/ -[DIgw][^ ]*//g' \
		-e 's/-NDEBUG/-DNDEBUG/; s/ -std[^ ]*//'
}

write_engine_facts () {
	{
		printf 'name\t%s\nversion\t%s\ndriver\t%s\n' "$name" "$version" "$driver"
		[ "$defines" = - ] || printf 'defines\t%s\n' "$defines"
		printf 'origin\t%s\n' "$origin"
		[ -z "$digest" ] || printf 'sha256\t%s\n' "$digest"
		[ ! -e "$work/compiler" ] ||
			printf 'compiler\t%s\n' "$(cat "$work/compiler")"
		# those that make it fast or slow, and then all
		printf 'flags\t%s\n' "$(engine_quickening <"$work/flags")"
		printf 'given\t%s\n' "$(cat "$work/flags")"
		! is_own_engine || printf 'sources\t%s\n' "$file"
		printf 'built\t%s\n' "$(date -u +%Y-%m-%d)"
	} >"$out/facts"
}

# fetch_packages: what an engine in this tree needs of its authors
fetch_packages () {
	tail -n +3 "$sources/packages.tsv" >"$work/packages"
	while IFS=$tab read -r client package file sha256 megabytes from
	do
		fetch_engine </dev/null
	done <"$work/packages"
	read_engine_row "$(engine_columns "$name-$version")"
}

# find_engine_sources: $sources, a directory that may be written to, with $origin and $digest
find_engine_sources () {
	sources=$work/sources digest=
	if is_own_engine
	then
		sources=$top/$file origin="$client $package" digest=$sha256
		[ ! -e "$sources/packages.tsv" ] || fetch_packages
		return
	fi
	mkdir "$sources"
	if [ -z "$source" ]
	then
		fetch_engine
		origin="$client $package" digest=$sha256
		unpack_engine "$archive" "$sources"
	elif [ -d "$source" ]
	then
		origin="directory $source"
		cp -r "$source/." "$sources"
	else
		[ "$sha256" = - ] || refuse_other_engine "$source"
		origin="archive $(basename "$source")" digest=$(engine_source_hash "$source")
		unpack_engine "$source" "$sources" 2>"$work/log" ||
			fail_engine "cannot unpack $source: $(tail -n 1 "$work/log")"
	fi
}

# build_engine WORD: the library and its program
build_engine () {
	read_engine_row "$(engine_columns "$1")"
	if [ -n "$given" ] && [ "$given" != "$version" ]
	then
		row=$(engine_columns "$name-$given")
		row=${row:-$(engine_columns "$1" "$source")}
		[ -z "$row" ] || read_engine_row "$row"
		[ "$version" = "$given" ] || sha256=-
		version=$given
	fi
	compiler=${CC:-cc}
	install_for_engine "${compiler%% *}" gcc libc6-dev
	install_for_engine make make
	install_for_engine pkg-config pkg-config
	# shellcheck disable=SC2086
	[ "$needs" = - ] || scripts/install-deps.sh $needs || exit
	! is_own_engine || sha256=$(own_engine_hash)
	there=$built/$name-$version out=$work/out
	if [ -z "$source" ] && [ -e "$there/facts" ] &&
		[ "$(engine_fact "$there/facts" sha256)" = "$sha256" ]
	then
		! is_own_engine || touch "$there/facts"
		[ -n "$alone" ] || make -s "bench_$name-$version" >&2 ||
			fail 1 "bench_$name-$version did not build"
		[ -n "$alone" ] || echo "bench_$name-$version: is there" >&2
		return
	fi
	mkdir -p "$out/include" "$out/lib"
	find_engine_sources
	began=$(date +%s)
	compile_engine
	write_engine_facts
	# what was there before goes with the work directory
	[ ! -e "$there" ] || mv "$there" "$work/before"
	mv "$out" "$there"
	if [ -n "$alone" ]
	then
		echo "$name-$version: built in $(($(date +%s) - began)) s" >&2
		return
	fi
	if ! make -s "bench_$name-$version" >"$work/log" 2>&1
	then
		mv "$there" "$work/failed"
		[ ! -e "$work/before" ] || mv "$work/before" "$there"
		tail -n 15 "$work/log" >&2
		fail_engine "bench_$name-$version did not build with it; the end of \
its log is above"
	fi
	echo "bench_$name-$version: built in $(($(date +%s) - began)) s," \
		"$("./bench_$name-$version" --version)" >&2
}

if [ "$verb" = list ]
then
	list_engines
	exit 0
fi
for word in $wanted
do
	row=$(engine_columns "$word")
	[ -n "$row" ] || [ -z "$source" ] || [ -z "$(engine_columns "${word%%-*}")" ] ||
		fail 2 "$word: give the version as --version=${word#*-}"
	[ -n "$row" ] ||
		fail 2 "engines/sources.tsv has no $word; engine.sh list shows what there is"
	read_engine_row "$row"
	! is_own_engine || [ -z "$source" ] || fail 2 "--source: $name is built from $file"
	! is_own_engine || needs_engine_language
	[ -z "$source" ] || [ -n "$given" ] || [ "$word" != "$name" ] ||
		fail 2 "--source: of which version? give --version"
done
. "$top/scripts/tools/engine-recipes.sh"
jobs=$(nproc)
mkdir -p "$built"
TMPDIR=$built make_work
everything=$work
number=0
for word in $wanted
do
	number=$((number + 1))
	mkdir "$everything/$number"
	# no || behind it: where sh is bash, a recipe would go on after a step that failed
	(
		work=$everything/$number
		build_engine "$word"
	)
done
