# report-profile.jq: a profile for the page, from profile.sh's files, given as texts: $index (profiles.tsv), $functions
# (NAME.functions.tsv) and $graphs (figures); $profile is its NAME.
def lines: rtrimstr("\n") / "\n" | map(. / "\t") | .[0] as $head | .[1:][] | [$head, .] | transpose | map({key: .[0], value: .[1]}) | from_entries;
def number($name): .[$name] = (.[$name] | tonumber? // null);

first($index | lines | select(.profile == $profile)) |
	number("threads") | number("profile_us_per_op") | number("cpu_us_per_op") | number("off_cpu_us_per_op") | number("samples") |
	.functions = ([$functions | lines | number("cpu_us_per_op") | number("with_callees_us_per_op") | number("percent")][:12]) |
	.graphs = $graphs
