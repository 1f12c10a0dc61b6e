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

# A header stands where it is included first, without its guard; what a source defines
# ends with it. The null engine measures the baseline; it is added under names of its own.
awk -v name="$1" -v commit="${2-unknown}" -v library="${3:+ $3}" '
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
		while ((getline line <"bench.c") > 0)
			if (line ~ /^#define VERSION /) {
				split(line, part, "\"")
				version = part[2]
			}
		close("bench.c")
		print "/*\n * bench_" name ".c: assay " version ", commit " commit \
			", with the engine " name ", in one C file."
		print " *\n *     cc -O2 bench_" name ".c -o bench_" name library \
			" -lm -ldl -pthread"
		print " *     ./bench_" name " --help"
		print " *\n * NetBSD has no -ldl."
		print " *\n * Made by scripts/amalgamate.sh of many, whose names stand above" \
			" each; what was changed in one of those will last."
		print " * A library that cannot be asked for its version is told by" \
			" -DENGINE_VERSION=\047\"1.2\"\047; for one older"
		print " * than the newest there is -DENGINE_MAJOR=6."
		print " */"
		# FreeBSD declares everything unless it is asked for less.
		print "#ifdef __linux__\n#undef _GNU_SOURCE\n#define _GNU_SOURCE"
		print "#elif defined(__APPLE__)\n#define _DARWIN_C_SOURCE"
		print "#elif defined(__NetBSD__)\n#define _NETBSD_SOURCE"
		print "#elif !defined(__FreeBSD__)\n#define _XOPEN_SOURCE 700"
		print "#define _DEFAULT_SOURCE\n#endif"
		# Not every inline function of a header is used by this engine, and here none comes
		# from a header.
		print "#pragma GCC diagnostic ignored \"-Wunused-function\""
		print "#define ASSAY_COMMIT \"" commit "\""
		print "#ifndef ENGINE_VERSION\n#define ENGINE_VERSION \"unknown\"\n#endif"
		print "#ifndef ENGINE_MAJOR\n#define ENGINE_MAJOR 999\n#endif"
		for (i = 1; i < ARGC; i++) place(ARGV[i])
		place("engines/null.c", 1)
		place("engines/" name ".c")
		place("bench.c")
	}' util/*.c util/*/*.c bench/*/*.c
