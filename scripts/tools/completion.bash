# completion.bash: what bash completes for bench_NAME and assay, from the tables of programs and the
# help of scripts.
# Installed where bash-completion looks for it; in a source tree: . scripts/tools/completion.bash

_assay_here=$(dirname "${BASH_SOURCE[0]}")/..
[[ -x $_assay_here/../bench_null ]] || _assay_here+=/../assay/scripts
_assay_programs=$(cd "$_assay_here/.." && find . -maxdepth 1 \
	-name 'bench_*' ! -name bench_memstore ! -name bench_flat | sed 's/^..//' | sort)

# _assay_table NAME FIELDS [PROGRAM]: these fields of a table that programs print
_assay_table () {
	"${3-$_assay_here/../bench_null}" --"$1=tsv" 2>/dev/null | sed 1d | cut -f "$2"
}

# _assay_options COMMAND...: a line --NAME=VALUES each, also those of a program if it passes
# options on to one
_assay_options () {
	local help
	if [[ ${1##*/} == bench_* ]]
	then
		_assay_table options 2,6 "$1" | sed 's/^/--/; s/\t/=/'
		return
	fi
	help=$("$@" --help 2>/dev/null)
	sed -n 's/^ \{0,2\}\(--[a-zA-Z_-]*=\{0,1\}[^ ]*\).*/\1/p' <<<"$help"
	[[ $help != *'Any other --option'* ]] || _assay_options "$_assay_here/../bench_null"
}

# _assay_values NAME COMMAND...: what the option can be; nothing if it is not one of a list
_assay_values () {
	case $1 in
	engines | raw-engines) echo "${_assay_programs//bench_/}" ;;
	benchmark | benchmarks | load) _assay_table workloads 1 ;;
	preset) _assay_table presets 1 ;;
	*) _assay_options "${@:2}" | sed -n "s/^--$1=\\(.*|.*\\)/\\1/p" | tr '|' '\n' ;;
	esac
}

_assay () {
	local word=${COMP_LINE:0:COMP_POINT} command=("$1") words='' part before='' name
	word=${word##*[[:space:]]}
	part=$word
	[[ ${1##*/} != assay* || $COMP_CWORD -eq 1 ]] || command+=("${COMP_WORDS[1]}")
	case $word in
	--*=*)
		part=${word#*=}
		name=${word%"=$part"}
		part=${part##*,}
		before=${word%"$part"}
		words=$(_assay_values "${name#--}" "${command[@]}")
		;;
	-*) words=$(_assay_options "${command[@]}" | sed 's/^\(--[a-zA-Z_-]*=\{0,1\}\).*/\1/') ;;
	*)
		[[ ${1##*/} != assay* || $COMP_CWORD -gt 1 ]] ||
			words=$("$1" --help | sed -n 's/^  \([a-z][a-z0-9-]*\)  .*/\1/p')
		;;
	esac
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "$part")
	[[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null
	# bash replaces what follows the last of the characters that break words
	COMPREPLY=("${COMPREPLY[@]#"${word%"${word##*["$COMP_WORDBREAKS"]}"}"}")
}

# shellcheck disable=SC2086
complete -o default -F _assay assay assay.sh $_assay_programs
