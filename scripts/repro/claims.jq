# claims.jq: what the modules of claims/ are written with. A claim's input is {rows: [...]}, either
# the published rows or those of a run here, as $side says; reading/claims.py prepares them, and an
# invalid row is none of them. What is not there is an error, which makes an answer that is open,
# so no claim has to ask whether a row exists.

def lacking($what): error("lacks " + $what);
def known($what): if . == null then lacking($what) else . end;
# a list that has so many members, or any
def at_least($n; $what): if length < $n then lacking($what) else . end;
def some($what): at_least(1; $what);

# Figures in texts are written by reading/text.py: a figure is marked here with the form that it
# shall have. show: 1.82M, 44.2k; three: three digits that count; to: so many after the point.
def marked($form): if type == "number" then "\u0002\($form) \(tojson)\u0003"
	elif . == null then "-" else tostring end;
def show: marked("show");
def three: marked("three");
def to($places): marked("to\($places)");
# a fraction as a percentage
def percent: "\(. * 100 | round) %";

# of those that are known, as text.median has it; null: there are none
def median: map(select(. != null)) | sort |
	if . == [] then null else (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 end;

# how a row is called: its label; what follows a colon is where it ran
def name: .label // .engine;
def named($engine): name == $engine or (.engine == $engine and (name | contains("+") | not));

# rows of an experiment, of an engine in it (wiredtiger is not wiredtiger+type=lsm), that are so
def rows: .rows[];
def rows($experiment): rows | select(.experiment == $experiment);
def rows($experiment; $engine): rows($experiment) | select(named($engine));
def rows($experiment; $engine; condition): rows($experiment; $engine) | select(condition);

# Of the rows of an engine one that has of each column that is a number the median: no column is
# read off the row that has the median of another.
def typical: (add // {}) as $last | . as $rows | $last |
	with_entries(([$rows[][.key] | numbers]) as $n |
		if $n != [] then .value = ($n | median) else . end);
def wanted($experiment; $engine; condition): [rows($experiment; $engine; condition)] |
	some("a row of \($engine) in \($experiment)");
def one($experiment; $engine; condition): wanted($experiment; $engine; condition) | typical;
def one($experiment; $engine): one($experiment; $engine; true);

def cpu_s: .user_s + .sys_s;

# the median of a figure, which is made of each row's own columns
def get($experiment; $engine; condition; column): wanted($experiment; $engine; condition) |
	map(column) | median | known("that figure of \($engine) in \($experiment)");
def get($experiment; $engine; column): get($experiment; $engine; true; column);

# names of the engines in it; those of them in a list
def engines($experiment): [rows($experiment) | name] | unique;
def engines($experiment; $list): [engines($experiment)[] | select(IN($list[]))] |
	some("\($list | join(", ")) in \($experiment)");

def ratio(a; b): (a | known("a figure")) as $a | (b | known("a figure")) as $b |
	if $b == 0 then lacking("a figure that is not 0") else $a / $b end;
def within(x; y; tolerance): ratio(x; y) - 1 | fabs <= tolerance;

# [{name, value}], highest first, of a figure of each engine; as text, a, b, c
def ranking($experiment; $list; column): {rows: [rows($experiment)]} as $all |
	[engines($experiment; $list)[] | . as $engine |
		{name: ., value: ($all | get($experiment; $engine; column))}] | sort_by(-.value);
def ranking($experiment; column): engines($experiment) as $list |
	ranking($experiment; $list; column);
# Of a name that stands there more than once, as rounds do, the median.
def once: . as $all | reduce .[].name as $name ([]; if any(.[]; .name == $name) then . else
	. + [[$all[] | select(.name == $name)] | .[0] + {value: (map(.value) | median)}] end);
def listed(figure): map("\(.name) \(figure)") | join(", ");
def listed: once | listed(.value | show);

# The answer: true, false, or "depends", and then on what is in the numbers.
def answer(holds; numbers): {holds: holds, numbers: numbers};

# Several answers to one claim, [{name, holds, numbers}]: it depends on it if they differ, or the
# first decides, which is under the publication's own conditions, and the others stand beside it.
def together: {parts: ., rule: "all"};
def first_decides: {parts: ., rule: "first"};
def undecided: {holds: null, numbers: (if type == "string" then . else tojson end)};
def try_to(decided): [try (decided | {holds, numbers}) catch undecided][0];
# A claim decided for each of several lists of rows, [{name, rows}], of which the first decides.
def first_of(decided): map({name} + try_to(decided)) | first_decides;
# A claim decided for each value of a column of the rows, by what it is called, and together.
def by(column; called; decided): . as $all | [.rows[] | column] | unique as $values |
	if ($values | length) < 2 then $all | decided else
		[$values[] as $value | {name: ($value | called | tostring)} +
			({rows: [$all.rows[] | select(column == $value)]} | try_to(decided))] |
				together end;

# Rows that ran for some seconds: what is counted over less than that is counted over the start
# and the end.
def lasting($seconds): if (.seconds // $seconds) >= $seconds then . else
	lacking("a run of \($seconds) s or more: that of \(name) lasted \(.seconds | show) s") end;

# A claim: shape, text, the rule by which it holds with its engines and threshold, where it can be
# decided if not on both sides (published, ours or neither), tolerance if it has one, counts if it
# is of counts and sizes, which a busy machine does not change, and the reason why it cannot be
# decided on the other side, or on either; and how it is decided. Its answer is a list of parts, one
# without a name if it is decided once.
def claim($is; decided): {where: "both"} + $is + {answer:
	[try (decided | if .parts then . else {parts: [{name: null, holds, numbers}],
		rule: "all"} end)
	catch {parts: [{name: null} + undecided], rule: "all"}][0]};
def claim($is): claim($is; null);

# the published tables, whatever the rows: all rows of one, a number of statements.csv, a finding
# of published.sh
def table($name): $tables[0][$name] | known("the table \($name)") | .[];
def statement($id): [table("statements") | select(.id == $id)][0].number |
	known("the statement \($id)");
def finding($id): [$findings[] | select(.id == $id)][0] | known("the finding \($id)") |
	. as $finding |
	def told: "\(.row) \(.value | show)" +
		if .said == null or .said == $finding.number then "" else
			" (says \(.said | show))" end;
	answer(.agree == .rows; "\(.agree) of \(.rows) agree" + if .agree == .rows then "" else
		": " + ([.figures[] | select(.agrees | not) | told] | join(", ")) end);
# a claim that a finding decides, about what is printed
def found($id; $is): claim(
	{shape: "I", where: "published", rule: "all printed figures agree"} + $is; finding($id));
