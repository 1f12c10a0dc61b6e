# claims-table.jq: the verdicts of claims.sh as Markdown, a table for each document.

def cell: gsub("[|]"; "\\|");
# a title in brackets is not the document's own, but what stands for it
def heading: if startswith("(") then ltrimstr("(") | split(":")[0] | rtrimstr(")") else . end;
def word: {holds: "holds", fails: "**does not hold**", depends: "depends", open: "undecided"}[.];
def why: [[if .verdict == "open" then .reason else empty end, .numbers] | map(select(. != null and . != "")) | select(. != []) | join(": ")];
def decides: [(.published | why | map("there: " + .)), (.ours // {} | why | map("here: " + .))] | add // [] |
	# one reason that is both
	if length == 2 and (.[0] | ltrimstr("there: ")) == (.[1] | ltrimstr("here: ")) then .[0] | ltrimstr("there: ") else join("<br>") end | cell;
def of(side; $verdict): map(select((side.verdict // "open") == $verdict)) | length;
def count(side): "\(of(side; "holds")) hold, \(of(side; "fails")) do not, \(of(side; "depends")) depend on a condition, \(of(side; "open")) are undecided";
$tables[0].documents[] | . as $document |
[$all[] | select(.document == $document.document)] | select(length > 0) |
(.[0] | has("ours")) as $run |
"## \($document.author), \($document.title | heading), \($document.year)", "",
"Of \(length) claims \(map(select(.kind == "said")) | length) are said in the text and \(map(select(.kind != "said")) | length) read off its tables. There \(count(.published))\(
	if $run then "; here \(count(.ours))" else "" end).", "",
(if $run then "| | the claim | said or read off | there | here | decided by |", "|:--|:--|:--|:--|:--|:--|"
else "| | the claim | said or read off | there | decided by |", "|:--|:--|:--|:--|:--|" end),
(.[] | "| \(.id) | \(.text | cell)\(if .rule then " (\(.rule | cell))" else "" end) | \(.kind) | \(.published.verdict | word) |" + (if $run then " \(.ours.verdict | word) |" else "" end) +
	" \(decides) |"), ""
