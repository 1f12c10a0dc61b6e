# profile-fold.awk: stacks of perf script, by the role of their thread; for profile.sh.
# In: perf script -F comm,pid,tid,time,period,event,ip,sym,dso --no-inline --show-switch-events
# Out, a line for each stack: cpu or off, role, library of its last function, stack, us, samples,
# with tabs between them.
# A stack is role;function;...;function, the outermost first.

# A thread of ours is named role-TID (util/os/thread_name.c); one that an engine created may have
# inherited the name of another.
function fold_role_of(comm, pid, tid,   own) {
	own = comm ~ /^(bg)?(read|write|mixed)-[0-9]+$/ || comm ~ /^harness-[0-9]+$/
	if (own && substr(comm, index(comm, "-") + 1) == tid) {
		sub(/-[0-9]+$/, "", comm)
		return comm in roles ? roles[comm] : comm
	}
	if (pid == tid)
		return "harness"
	return own || comm ~ /^bench_/ ? "engine" : "engine:" comm
}

# The function of a frame, without what compilers append to it for a part or a copy. A library
# without symbols stands for all of its functions.
function fold_function_of(symbol, library) {
	if (symbol == "[unknown]")
		return "[" library "]"
	gsub(/\.(isra|part|constprop|lto_priv)\.[0-9]+|\.cold(\.[0-9]+)?/, "", symbol)
	gsub(/;/, ":", symbol)
	return symbol
}

function fold_library_of(path) {
	sub(/ \(deleted\)$/, "", path)
	if (path ~ /^\[.*\]$/)
		return path == "[vdso]" || path == "[unknown]" ? path : "[kernel]"
	sub(/.*\//, "", path)
	# names of a runtime's compiler, in a file of the process: in each run another
	sub(/^perf-[0-9]+[.]map$/, "perf.map", path)
	return path
}

function fold_add(kind, role, us,   key) {
	if (us < 0)
		return
	key = kind "\t" role "\t" (stack == "" ? "[unknown]" : library) "\t" role ";" \
		(stack == "" ? "[unknown]" : stack)
	total[key] += us
	samples[key]++
}

# A sample is complete.
function fold_end_sample() {
	if (event == "")
		return
	if (event ~ /^cpu-clock/)
		fold_add("cpu", role, period / 1000)
	else {
		slept_at[tid] = stack
		slept_in[tid] = library
	}
	event = ""
}

BEGIN {
	split("read foreground reader|write foreground writer|" \
		"mixed foreground reader and writer|bgread background reader|" \
		"bgwrite background writer|bgmixed background reader and writer", names, "|")
	for (i in names) {
		name = names[i]
		sub(/ .*/, "", name)
		roles[name] = substr(names[i], length(name) + 2)
	}
}

/^$/ { fold_end_sample(); next }

# a frame, the innermost first; what a function without a frame pointer leaves is no frame
/^[ \t]/ && event != "" && match($0, / \(([^()]|\(deleted\))*\)$/) {
	in_library = fold_library_of(substr($0, RSTART + 2, RLENGTH - 3))
	symbol = substr($0, 1, RSTART - 1)
	sub(/^[ \t]*[0-9a-f]+ /, "", symbol)
	if (symbol == "[unknown]" && in_library == "[unknown]" && stack != "")
		next
	if (stack == "")
		library = in_library
	named = fold_function_of(symbol, in_library)
	# callers and callees without names are one frame
	if (named !~ /^\[/ || (stack != named && index(stack, named ";") != 1))
		stack = named (stack == "" ? "" : ";" stack)
	next
}

match($0, / +[0-9]+\/[0-9]+ +[0-9]+\.[0-9]+: /) {
	fold_end_sample()
	comm = substr($0, 1, RSTART - 1)
	sub(/^ +/, "", comm)
	split(substr($0, RSTART, RLENGTH), word, /[ \/:]+/)
	pid = word[2]
	tid = word[3]
	time = word[4]
	rest = substr($0, RSTART + RLENGTH)
	role = fold_role_of(comm, pid, tid)
	stack = library = ""
	if (rest ~ /PERF_RECORD_SWITCH/) {
		if (rest ~ /OUT/) {
			out_since[tid] = time
			preempted[tid] = rest ~ /preempt/
		} else if (tid in out_since) {
			stack = preempted[tid] ? "[waiting for a core]" : slept_at[tid]
			library = preempted[tid] ? "[kernel]" : slept_in[tid]
			fold_add("off", role, (time - out_since[tid]) * 1e6)
			delete out_since[tid]
			delete slept_at[tid]
			delete slept_in[tid]
		}
		next
	}
	split(rest, word, / +/)
	period = word[1] == "" ? word[2] : word[1]
	event = word[1] == "" ? word[3] : word[2]
}

END {
	fold_end_sample()
	for (key in total)
		printf "%s\t%.3f\t%d\n", key, total[key], samples[key]
}
