# functions.awk: of C files, each function as FILE LINE NAME LINES, and as FILE LINE NAME
# `declared` what is declared static before it is defined; in a file of several acts
# (`/* ---- ... ---- */`) but not where one begins. For test/cases/build.sh.
FNR == 1 {
	statement = name = ""
	acting = 0
}

/^\/\* ---- .* ---- \*\/$/ {
	acting = 1
}

/^{$/ {
	begin = FNR
	acting = 0
}

/^}$/ && begin {
	print FILENAME, begin, name, FNR - begin + 1
	begin = 0
}

# The last name before a function's body that has an argument list.
!begin && /^[a-z]/ {
	line = $0
	sub(/__attribute__\(\([a-z_]*\)\)/, "", line)
	if (match(line, /[A-Za-z0-9_]+\(/))
		name = substr(line, RSTART, RLENGTH - 1)
}

!begin && /^static / {
	statement = " "
	at = FNR
}

statement != "" {
	statement = statement $0
	if (/[;{]$/ || /=/) {
		if (/;$/ && statement !~ /=/ && statement ~ /\(/ && !acting)
			print FILENAME, at, name, "declared"
		statement = ""
	}
}

/^{$/ {
	statement = ""
}
