#!/bin/sh
# man.sh: print a script's manual page, made from its --help; see --help.
set -eu
. "$(dirname "$0")/common.sh"

case ${1-} in
--help)
	cat <<END
usage: scripts/man.sh COMMAND

Prints the manual page of assay COMMAND, or of assay itself if that is COMMAND, made of
what it prints for --help. The pages of bench_NAME are printed by bench_NAME --man.
END
	exit 0
	;;
'' | -*)
	fail 2 "which command? usage: scripts/man.sh COMMAND"
	;;
esac
cd "$(dirname "$0")"
help=$(./assay.sh --help)
name=assay
sentence='benchmarks of embedded key-value stores, compared and drawn'
if [ "$1" != assay ]
then
	name=assay-$1
	sentence=$(echo "$help" | sed -n "s/^  $1  *//p")
	help=$(./assay.sh "$1" --help)
fi
version=$(./assay.sh --version)
date=$(../bench_null --man | sed -n 's/^[.]Dd //p')

# A line of help is one of: usage, at the top; an item, which begins with its term, two
# blanks before what it means; what goes on under an item; an example, set deeper; text.
echo "$help" | awk -v name="$name" -v sentence="$sentence" -v version="${version%% (*}" \
	-v date="$date" '
	function text(line) {
		gsub(/\\/, "\\e", line)
		gsub(/-/, "\\-", line)
		return line ~ /^[.\047]/ ? "\\&" line : line
	}
	function is(now) {
		if (state == "example" && now != state) print ".fi\n.RE"
		if (now == "text" && state != now && state != "section") print ".PP"
		if (now == "example" && state != now) print ".PP\n.RS 4\n.nf"
		if (now != "gap" || state != "section") state = now
	}
	BEGIN {
		printf ".TH %s 1 \"%s\" \"%s\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n",
			toupper(name), date, version, text(name), text(sentence)
		state = "usage"
	}
	state == "usage" && /[^ ]/ { sub(/^usage: /, ""); sub(/^ +/, ""); print text($0); next }
	state == "usage" { print ".fi\n.SH DESCRIPTION"; state = "section"; next }
	/^ *$/ { is("gap"); next }
	sub(/^Exit status: /, "") { is("gap"); print ".SH EXIT STATUS"; state = "section" }
	match($0, /^ ? ?--[^ ]+ +/) || match($0, /^  [^ ].*[^ ]  +/) {
		is("item")
		term = substr($0, 1, RLENGTH)
		gsub(/^ +| +$/, "", term)
		print ".TP\n.B " text(term) "\n" text(substr($0, RLENGTH + 1))
		next
	}
	/^  [^ ]/ { is("item"); sub(/^ +/, ""); print ".TP\n.B " text($0); next }
	/^   / && state != "item" { is("example"); sub(/^ +/, ""); print text($0); next }
	/^ / { sub(/^ +/, ""); print text($0); next }
	{ is("text"); print text($0) }
	END {
		is("end")
		print ".SH SEE ALSO"
		if (name != "assay") print ".BR assay (1),"
		print ".BR bench_null (1)"
	}'
