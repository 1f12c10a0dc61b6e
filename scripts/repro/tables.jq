# tables.jq: every table of results/published as {name: [row, ...]}, a row being {column: number, text or null}.
def cell: if . == "" then null elif test("^-?[0-9]+([.][0-9]+)?$") then tonumber else . end;
[inputs | {table: input_filename | sub(".*/"; "") | rtrimstr(".csv"), cells: split(",")}] |
group_by(.table) | map(.[0].cells as $names | {key: .[0].table, value: [.[1:][].cells as $cells |
	[range($names | length) | {key: $names[.], value: ($cells[.] | cell)}] | from_entries]}) | from_entries
