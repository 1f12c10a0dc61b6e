# dropped.awk: where a test drops a status that set -e does not look at. Reads shell as test/cases/*.sh are laid out: tabs, and
# each of { } then do else fi done esac on a line of its own, but for what is on one line. Prints FILE:LINE, exit 1 if any.
#
# In a function, a statement is looked at if it is an && chain or begins with `!`, without an || after the last &&, and
# is no condition. It must be the last that the function does: what comes after it would have a status of its own. And
# a function that is called in a condition, where set -e is off in all of it, drops every command that stands alone:
# there each statement but the last must say `|| return`, or be one that only prepares.

# code(line): the line without what is quoted, and comments; `quotes` is what is still open at its end
function code(line,    i, c, out, top) {
	out = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		top = substr(quotes, length(quotes), 1)
		if (top == "'") {
			if (c == "'")
				pop()
		} else if (c == "\\") {
			i++
			out = out (i > length(line) ? "\\" : "_")
		} else if (substr(line, i, 2) == "$(" && substr(line, i, 3) != "$((") {
			push("(")
			i++
		} else if (c == "\"") {
			if (top == "\"")
				pop()
			else
				push("\"")
		} else if (top == "\"") {
			continue
		} else if (c == "'") {
			push("'")
		} else if (c == "(" && top == "(") {
			push("(")
		} else if (c == ")" && top == "(") {
			pop()
		} else if (c == "#" && (i == 1 || substr(line, i - 1, 1) ~ /[ \t]/)) {
			break
		}
		out = out (substr(quotes, 1, 1) == "" && c !~ /["']/ ? c : c ~ /["')]/ ? "_" : "")
	}
	return out
}
function push(c) { quotes = quotes c }
function pop() { quotes = substr(quotes, 1, length(quotes) - 1) }

# A statement that is complete, from the line `at`.
function statement(text, at) {
	gsub(/^[ \t]+|[ \t;]+$/, "", text)
	if (text == "")
		return
	n++
	said[n] = text
	line[n] = at
	file[n] = FILENAME
	if (match(text, /^[a-z_0-9]+ \(\)/))
		current = substr(text, 1, RLENGTH - 3)
	of[n] = current
	if (text == "}" && depth == 0)
		current = ""
	calls(text)
}
# Which functions are called where set -e is off: in a condition, before && or ||, after !, or by who looks at their status.
function calls(text,    words, i, k, chain, word) {
	if (current != "")
		called[FILENAME, current] = called[FILENAME, current] " " text
	if (text !~ /^(if|elif|while|until|!) / && text !~ /&&|\|\|/ && text !~ by_status)
		return
	chain = text !~ /^(if|elif|while|until|!) / && text !~ by_status
	gsub(/&&|\|\|/, "\n", text)
	k = split(text, words, "\n")
	for (i = 1; i <= k - chain; i++)
		excuse(FILENAME, words[i], FILENAME ":" FNR)
}
function excuse(from, text, where,    words, i, k) {
	gsub(/[^a-z_0-9]+/, " ", text)
	k = split(text, words, " ")
	for (i = 1; i <= k; i++)
		if (!((from, words[i]) in excused))
			excused[from, words[i]] = where
}
function excused_where(from, name) {
	if ((from, name) in excused)
		return excused[from, name]
	return from ~ /test[.]sh$/ && (name in anywhere) ? anywhere[name] : ""
}
# What a function calls that is called in a condition is in a condition itself.
function spread(    key, part, before, after) {
	do {
		before = after
		after = 0
		for (key in called) {
			split(key, part, SUBSEP)
			if (excused_where(part[1], part[2]) != "")
				excuse(part[1], called[key], excused_where(part[1], part[2]))
		}
		for (key in excused) {
			after++
			split(key, part, SUBSEP)
			anywhere[part[2]] = excused[key]
		}
	} while (after != before)
}

BEGIN { by_status = "^(fails|within|ends|refused|instead|without|alike|in_german|full) "; leaves = "(return|exit|break)( [0-9])?( ;;|; })?$" }
FNR == 1 { quotes = ""; pending = ""; ends = ""; current = ""; depth = 0 }
ends != "" {
	stripped = $0
	gsub(/^\t+/, "", stripped)
	if (stripped == ends)
		ends = ""
	next
}
{
	if (pending == "")
		began = FNR
	text = code($0)
	if (match($0, /<<-?'?[A-Z]+'?/) && quotes == "") {
		ends = substr($0, RSTART, RLENGTH)
		gsub(/[<'-]/, "", ends)
	}
	pending = pending " " text
	if (quotes != "" || text ~ /(&&|\|\||\||\\)[ \t]*$/)
		next
	sub(/\\[ \t]*$/, "", pending)
	statement(pending, began)
	pending = ""
}

# last(i): whether nothing of the function comes after statement i, blocks of it closed
function last(i,    k, skip) {
	if (said[i] ~ /(^|[|&(] *)(while|until|for) /)
		for (skip = 1; skip > 0 && i < n; ) {
			i++
			skip += said[i] ~ /(^|[|&(] *)(while|until|for) /
			skip -= said[i] ~ /^done/
		}
	for (k = i + 1; k <= n; k++) {
		if (said[k] ~ /^}/)
			return 1
		if (said[k] ~ /^(fi|esac)$/ || said[k] == ";;")
			continue
		if (said[k] ~ /^(else|elif)/ || said[k] ~ /^[^ ]*\)/) {
			# the other branches are not run
			for (skip = 1; skip > 0 && k < n; ) {
				k++
				if (said[k] ~ /^(if|case) /)
					skip++
				if (said[k] ~ /^(fi|esac)$/)
					skip--
			}
			continue
		}
		return 0
	}
	return 1
}
function tell(i, why) {
	print file[i] ":" line[i] ": " why ": " substr(said[i], 1, 90)
	bad = 1
}
END {
	spread()
	for (i = 1; i <= n; i++) {
		text = said[i]
		if (of[i] == "" || text ~ /^(if|elif|while|until|for|case|then|do|else|fi|done|esac|{|}|return|exit|break|continue)( |$)/)
			continue
		if (text ~ /\(\)( {)?$/ || text ~ /[^&]&$/ || text ~ leaves)
			continue
		# a branch of a case
		sub(/^[^(&=]*\)( |$)/, "", text)
		if (text == "")
			continue
		tail = text
		while (match(tail, /&&/))
			tail = substr(tail, RSTART + 2)
		chain = text ~ /&&/ && tail !~ /\|\|/ && text !~ leaves
		negated = text ~ /^! / && text !~ /\|\|/
		if ((chain || negated) && !last(i))
			tell(i, chain ? "a chain whose status is dropped" : "a status that ! hides from set -e")
		else if (!chain && !negated && (where = excused_where(file[i], of[i])) != "" && text !~ /\|\|/ && !prepares(text) && !last(i))
			tell(i, "its status is dropped, as " of[i] " is called in a condition, " where)
	}
	exit bad
}
function prepares(text) {
	return text ~ /^[a-z_A-Z0-9]+=/ || text ~ /^(echo|printf|cat|shift|set|rm|mkdir|export|local|unset|kill|wait|sleep|:|umount|sed|chmod|cp|touch|ln|losetup|trap|cd)( |$|>)/
}
