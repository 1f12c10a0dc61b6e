# compose.awk: the shell's command for words that draw.awk drew.
# usage: echo WORDS | awk -v part=PART -v bin=DIRECTORY -v directory=DIRECTORY [-v engine=OTHER] -f compose.awk options.txt -
# PART: load, what prepares the database; run, the command itself; other, the same of another engine, without what
# is the first one's own; replay, the trace that was recorded, by as many threads as that word says.

# Text as one word of the shell.
function quoted(text) {
	gsub(/'/, "'\\''", text)
	return "'" text "'"
}

# What stands for bytes that end words, and for the directory.
function decoded(text,   plain) {
	while (match(text, /%[0-9A-F][0-9A-F]/)) {
		plain = plain substr(text, 1, RSTART - 1) byte[substr(text, RSTART + 1, 2)]
		text = substr(text, RSTART + 3)
	}
	plain = plain text
	sub(/=@\//, "=" directory "/", plain)
	return plain
}

BEGIN {
	byte["20"] = " "; byte["22"] = "\""; byte["24"] = "$"; byte["27"] = "'"; byte["0A"] = "\n"
	split("num key_size key_format value_size compression_ratio cache_size write_buffer_size seed intkey db", records, " ")
	for (i in records)
		is_record[records[i]] = 1
}
FILENAME != "-" {
	words = split($0, word, /[ |]/)
	for (i = 3; i <= words; i++) {
		sub(/=.*/, "", word[i])
		of[$1 == "*" ? "all" : "one", word[i]] = 1
	}
	next
}
function own(name) {
	return name != "benchmarks" && ("one", name) in of && !(("all", name) in of)
}
{
	list = ""
	threads = $0
	sub(/.* replay=/, "", threads)
	sub(/ .*/, "", threads)
	for (i = 2; i <= NF; i++) {
		name = $i
		sub(/=.*/, "", name)
		has[name] = substr($i, length(name) + 2)
		if (name == "load" || name == "again" || name == "other" || name == "replay" || name == "copy")
			continue
		if (part == "replay") {
			if (name ~ /^(hdr|timeline|timeline_interval|report_file|reads|writes|duration|rate|read_rate|write_rate|arrivals|probe_rate|long_reader|long_reader_pause|backup)$/)
				continue
			if (name == "benchmarks")
				sub(/[^,]*$/, "replay@" threads, $i)
			sub(/^trace_out=@/, "trace_in=@/..", $i)
		}
		if (part == "load" ? name in is_record || own(name) : part == "run" || !own(name) || name == "intkey")
			list = list " " quoted("--" decoded($i))
	}
	if (part == "load")
		list = list " --benchmarks=" has["load"]
	else if ("copy" in has)
		list = list " " quoted("--copy_of=" directory "/db") " " quoted("--db=" directory "/copy")
	else if ("load" in has)
		list = list " --use_existing_db=1"
	if (!("db" in has) && !("copy" in has && part != "load"))
		list = list " " quoted("--db=" directory "/db")
	if (part != "load")
		list = list " " quoted("--json=" directory "/json") " " quoted("--tsv=" directory "/tsv")
	print quoted(bin "/bench_" (engine == "" ? $1 : engine)) list
}
