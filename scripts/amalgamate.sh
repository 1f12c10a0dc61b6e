#!/bin/sh
# amalgamate.sh: print bench.c, its modules and one driver as one C file; see --help.
set -eu
. "$(dirname "$0")/common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/amalgamate.sh ENGINE [COMMIT [LIBRARY]]

Prints one C file that is bench_ENGINE: util/, bench/, bench.c, the driver and the null
engine, which measures the baseline. Its first comment says how to compile it: LIBRARY
is how the engine is linked. \`make single\` does so for every engine, into build/single/.

Exit status: 0 printed, 2 wrong arguments.
END
	exit 0
	;;
'' | -*)
	fail 2 "which engine? usage: scripts/amalgamate.sh ENGINE [COMMIT [LIBRARY]]"
	;;
esac
cd "$(dirname "$0")/.."
[ -f "engines/$1.c" ] || fail 2 "no engine '$1': engines/$1.c is not there"

version=$(sed -n 's/^#define VERSION "\(.*\)"/\1/p' bench.c)
# FreeBSD declares everything unless it is asked for less. Not every inline function of a header is
# used by this engine, and here none comes from a header.
cat <<END
/*
 * bench_$1.c: assay $version, commit ${2-unknown}, with the engine $1, in one C file.
 *
 *     cc -O2 bench_$1.c -o bench_$1${3:+ $3} -lm -ldl -pthread
 *     ./bench_$1 --help
 *
 * NetBSD has no -ldl.
 *
 * Made by scripts/amalgamate.sh of many, whose names stand above each; what was changed in one of \
those will last.
 * A library that cannot be asked for its version is told by -DENGINE_VERSION='"1.2"'; for one older
 * than the newest there is -DENGINE_MAJOR=6.
 */
#ifdef __linux__
#undef _GNU_SOURCE
#define _GNU_SOURCE
#elif defined(__APPLE__)
#define _DARWIN_C_SOURCE
#elif defined(__NetBSD__)
#define _NETBSD_SOURCE
#elif !defined(__FreeBSD__)
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#endif
#pragma GCC diagnostic ignored "-Wunused-function"
#define ASSAY_COMMIT "${2-unknown}"
#ifndef ENGINE_VERSION
#define ENGINE_VERSION "unknown"
#endif
#ifndef ENGINE_MAJOR
#define ENGINE_MAJOR 999
#endif
END

# A header stands where it is included first, without its guard; what a source defines
# ends with it. The null engine measures the baseline; it is added under names of its own.
awk -v name="$1" '
	function put(line) {
		if (line == "" && blank) return
		blank = line == ""
		print line
	}
	function named(path) {
		# engines/../util/option.h is util/option.h
		while (sub(/[^\/.]+\/[.][.]\//, "", path)) continue
		return path
	}
	function directory(path) {
		return match(path, /.*\//) ? substr(path, 1, RLENGTH) : ""
	}
	function place(path, baseline,   line, part, depth, guarded, source, defined, n, i) {
		source = path ~ /[.]c$/
		put("")
		put("/* ==== " path (baseline ? ", as the baseline" : "") " ==== */")
		put("")
		while ((getline line <path) > 0) {
			if (baseline) {
				gsub(/null_/, "baseline_", line)
				sub(/^const struct engine engine/,
					"const struct engine baseline_engine", line)
			}
			if (!source && !guarded && line ~ /^#ifndef [A-Z0-9_]+_H$/) {
				guarded = 1
				continue
			}
			if (guarded == 1 && line ~ /^#define [A-Z0-9_]+_H$/) {
				guarded = 2
				continue
			}
			if (line ~ /^#if/) depth++
			if (line ~ /^#endif/ && !depth-- && guarded) continue
			if (line ~ /^#include "/) {
				split(line, part, "\"")
				part[2] = named(directory(path) part[2])
				if (!placed[part[2]]++) place(part[2])
				continue
			}
			if (line ~ /^#include </ && line in included) continue
			if (line ~ /^#include </ && !depth) included[line] = 1
			if (source && line ~ /^#define /) {
				split(line, part, /[ (]/)
				defined[++n] = part[2]
			}
			put(line)
		}
		close(path)
		if (n) put("")
		for (i = 1; i <= n; i++) put("#undef " defined[i])
	}
	BEGIN {
		for (i = 1; i < ARGC; i++) place(ARGV[i])
		place("engines/null.c", 1)
		place("engines/" name ".c")
		place("bench.c")
	}' util/*.c util/*/*.c bench/*/*.c
