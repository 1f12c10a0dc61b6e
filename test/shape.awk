# shape.awk: the shape of lines that a program printed, without their numbers. For test/cases/words.sh.
# The shape of a line with a label is the label, of a row of a table its first word, of a member of JSON its name.
/^ *"[a-z_0-9]*": / { print $1; next }
{
	sub(/\.\.\.$/, "")
	shape = ""
	numbers = 0
	for (i = 1; i <= NF; i++) {
		word = $i
		if (word ~ /^[-+±(<]*[0-9][0-9.,+]*(k|M|s|us|ms)?[,;:).]*$/) {
			word = "N"
			numbers++
		} else if (word ~ /=/)
			gsub(/[0-9]+/, "N", word)
		# a path depends on where it is
		if (word ~ /\/(db|tmp)/)
			word = "PATH"
		if (word !~ /^((k|M|ns|us|ms|s|%|MiB|GiB)[,;)]?|±N)$/)
			shape = shape " " word
	}
	if ($1 ~ /:$/)
		shape = " " $1
	else if (shape ~ /^ N/)
		shape = " N"
	else if (numbers > 2) {
		shape = $1
		sub(/-[0-9].*/, "", shape)
		shape = " " shape " N"
	}
	if (shape != "")
		print substr(shape, 2)
}
