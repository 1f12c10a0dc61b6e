# unset.awk: variables that a script may take from the environment unasked. Reads scripts as scripts/*.sh are laid out: tabs, a
# function's name and its } on lines of their own. Prints FILE:LINE: NAME of each ${name-...} or ${name:+...}, of a name in
# small letters, that nothing has certainly set: neither a line that is not indented, anywhere, nor an earlier one of the same
# function that is indented no further. Names in capitals are meant to be taken. Exit 1 if any.

function indent(line) {
	match(line, /^\t*/)
	return RLENGTH
}
# set(line): remembers what the line assigns
function set(line,    deep, name, parts, n, i) {
	deep = indent(line)
	gsub(/IFS=[^ ]* /, "", line)
	sub(/(\|\||&&) [a-z_]+=.*/, "", line)
	while (match(line, /(^|[\t ;(])(read -r|for|[a-z_]+=)/)) {
		name = substr(line, RSTART, RLENGTH)
		line = substr(line, RSTART + RLENGTH)
		sub(/^[\t ;(]/, "", name)
		if (name == "read -r" || name == "for") {
			n = split(line, parts, " ")
			for (i = 1; i <= n && parts[i] ~ /^[a-z_]+$/ && parts[i] != "in"; i++)
				certain(parts[i], deep)
		} else
			certain(substr(name, 1, length(name) - 1), deep)
	}
}
function certain(name, deep) {
	if (!deep)
		always[name]
	else if (!(name in here) || here[name] > deep)
		here[name] = deep
}
/^[ \t]*#/ { next }
/<<-?'?END/ { text = 1 }
/^END/ { text = 0 }
text { next }
/^[a-z_]+ \(\)/ { delete here }
{
	rest = $0
	while (match(rest, /\$\{[a-z_]+:?[-+=?]/)) {
		name = substr(rest, RSTART + 2, RLENGTH - 3)
		sub(/:$/, "", name)
		rest = substr(rest, RSTART + RLENGTH)
		if (!(name in here) || here[name] > indent($0))
			asked[FILENAME ":" FNR ": " name] = name
	}
	set($0)
}
END {
	for (place in asked)
		if (!(asked[place] in always)) {
			print place
			bad = 1
		}
	exit bad
}
