# style.gp: draws a plot; what all share.
# usage: gnuplot -c style.gp KIND OUT TITLE ARGUMENT...
# KIND.gp draws the rest; its head lists the ARGUMENTs, which load would take away: A1 to A6.
# A label has one colour and one mark wherever it appears. The first line of TITLE is the plot's
# title, all else a note below it.

OUT = ARG2; TITLE = ARG3; panels = 1
FILE = RUNS = A1 = ARG4
A2 = ARG5; A3 = ARG6; A4 = ARG7; A5 = ARG8; A6 = ARG9; given = ARGC - 3
DIR = ARG0[:strlen(ARG0) - strlen("style.gp")]
svg = OUT[strlen(OUT) - 3:] eq ".svg"
if (svg) {
	set terminal svg size 860, 560 font "DejaVu Sans,14" background "white" dynamic
	small = ",11"; ends = ",12"; title_size = 14
} else {
	set terminal pngcairo size 1290, 840 font "DejaVu Sans,20" linewidth 1.5 background "white"
	small = ",16"; ends = ",17"; title_size = 20
}
set output OUT
set datafile separator tab
set encoding utf8
set minussign
set micro
set border 3 linecolor "#5a6069"
set grid linecolor "#e4e7ea" linetype 1 linewidth 0.5
set tics nomirror font small textcolor "#5a6069"
set key bmargin center horizontal reverse Left samplen 2 noenhanced
set title noenhanced

# A text as a word of a shell.
inner(text) = strstrt(text, "'") ? text[:strstrt(text, "'") - 1] . "'\\''" . \
	inner(text[strstrt(text, "'") + 1:]) : text
quoted(text) = "'" . inner(text) . "'"
# The words of scripts/plot/palette.json, of which an engine's have the same place in each list.
palette = system("jq -rs 'map(.engine), map(.light), map(.point), map(.hollow) | join(\" \")' <" . \
	quoted(DIR . "palette.json"))
lined(text) = text[:strstrt(text . "\n", "\n") - 1]
below(text) = text[strstrt(text, "\n") + 1:]
known = lined(palette); colours = lined(below(palette)); marks = lined(below(below(palette)))
hollows = lined(below(below(below(palette))))
storages = "ext4 ext4-nojournal xfs btrfs tmpfs raw"
in_list(list, what) = sum [i = 1:words(list)] (word(list, i) eq what ? i : 0)
# The engine of a label such as lmdb+readahead=0, lmdb-1.0.2, lmdb:xfs, lmdb* or hyper, by its place
# in the palette, or the last.
until(label, sign) = label[:strstrt(label . sign, sign) - 1]
base(label) = until(until(until(until(label, "+"), ":"), "-"), "*")
alike(name) = sum [i = 1:words(known)] \
	(strlen(name) > 3 && strstrt(word(known, i), name) == 1 ? i : 0)
either(a, b) = a ? a : b
kin(label) = either(either(in_list(known, base(label)), alike(base(label))), words(known))
variant(label) = strstrt(label, "+") > 0 || strstrt(label, ":") > 0
# A star after it: the publication printed it.
printed(label) = label[strlen(label):] eq "*"
# "of_one_word" as "of one word"
join_words(name) = strstrt(name, "_") ? until(name, "_") . " " . \
	join_words(name[strstrt(name, "_") + 1:]) : name
colour(label) = word(colours, kin(label))
# A number of gnuplot's, or a sign; hollow for a variant, and with the storage's own dashes.
point(text) = strstrt("0123456789", text[1:1]) ? int(text) : text
mark(label) = point(word(variant(label) ? hollows : marks, kin(label)))
storage(label) = in_list(storages, label[strstrt(label . ":", ":") + 1:])
dashes(label) = printed(label) ? 3 : base(label) eq "aio" ? 3 : storage(label) ? storage(label) : \
	1 + variant(label)
# Of a run such as "lmdb, 16 threads" the label.
of_run(name) = word(name[:strstrt(name . ",", ",") - 1], 1)
# Of plots with RUNS, '"RUN" "FILE" ...': a run's name, which begins with its label, and its look.
name(i) = word(RUNS, 2 * i - 1)
tint(i) = colour(of_run(name(i)))
# Of several runs with the same colour and dashes the later ones have other dashes.
dash(i) = dashes(of_run(name(i))) + sum [j = 1:i - 1] (tint(j) eq tint(i) && \
	dashes(of_run(name(j))) == dashes(of_run(name(i))))

# What to divide rates by that go up to max, and the name of that.
unit(max) = max >= 1e9 ? 1e9 : max >= 1e6 ? 1e6 : max >= 1e3 ? 1e3 : 1
unit_name(u) = u == 1e9 ? "G" : u == 1e6 ? "million " : u == 1e3 ? "thousand " : ""
# Axes are linear unless their values span three decades.
far(min, max) = min > 0 && max >= 1000 * min

# The title, and a note below the plot.
NOTE = strstrt(TITLE, "\n") ? below(TITLE) : ""
TITLE = lined(TITLE)
# A title that is longer than the picture is wide is smaller.
titled = sprintf("DejaVu Sans:Bold,%.1f", title_size * \
	(strlen(TITLE) > 78 ? 78.0 / strlen(TITLE) : 1))
note_lines = strlen(NOTE) ? 1 + sum [i = 1:strlen(NOTE)] (NOTE[i:i] eq "\n") : 0
LOW = 0.13 + 0.028 * note_lines

# PANELS: so many panels above one another under a title, whose right margin has room for names at
# the ends of lines. Above the first HEAD_DONE is to follow.
longest = 4
LEFT = 0.115
HEAD = 'set label 998 TITLE at screen 0.012, screen 0.965 left noenhanced font titled; ' . \
	'set label 999 NOTE at screen 0.012, screen 0.026 * note_lines left font small ' . \
	'textcolor "#5a6069" noenhanced'
PANELS = HEAD . '; set multiplot layout panels, 1 margins screen LEFT, screen 0.965 - 0.0098 * ' . \
	'(longest < 30 ? longest : 30), screen LOW, screen 0.91 spacing screen 0, screen 0.075'
HEAD_DONE = 'unset label 997; unset label 998; unset label 999'
# LABEL_ENDS: name(i) of lines 1 to n at the right of the panel, at the heights END[i] from 0 to 1,
# or NaN for none; names that are too close are moved apart, in their order. tint(i) is a colour.
array END[99]
array PLACE[99]
array OVER[99]
do for [i = 1:99] { OVER[i] = 0 }
GAP = 0.042
above(i, j) = END[j] > END[i] || (END[j] == END[i] && j < i)
LABEL_ENDS = 'do for [i = 1:n] { OVER[i] = END[i] > 1; END[i] = OVER[i] ? 1 : END[i]; ' . \
	'if (END[i] != END[i]) { END[i] = -1 - 0.001 * i } }; ' . \
	'do for [i = 1:n] { rank = 1 + sum [j = 1:n] above(i, j); PLACE[rank] = i }; over = 9; ' . \
	'gap = GAP * panels; do for [r = 1:n] { i = PLACE[r]; if (END[i] >= 0) { END[i] = ' . \
	'END[i] > over - gap ? over - gap : END[i]; over = END[i] } }; under = -9; ' . \
	'do for [k = 1:n] { i = PLACE[n + 1 - k]; if (END[i] > -1) { END[i] = END[i] < under + ' . \
	'gap ? under + gap : END[i]; END[i] = END[i] < -0.02 ? -0.02 : END[i]; ' . \
	'under = END[i]; ' . \
	'set label i name(i) . (OVER[i] ? " (above)" : "") at graph 1.015, graph END[i] left ' . \
	'font ends textcolor rgb tint(i) noenhanced } }'
UNLABEL = 'do for [i = 1:n] { unset label i }'
# The null engine stores nothing: beside others it does not make the scale, and where it is above,
# its name says so.
baseline(label) = base(label) eq "null"
# The letters that a name at the end of a line may need.
letters(name) = strlen(name) + 8 * baseline(of_run(name))
greater(x, y) = x > y ? x : y
LONGEST = 'do for [i = 1:n] { longest = greater(letters(name(i)), longest) }'
# Where a value stands in a panel from low to high, whose scale may be logarithmic.
height(y, low, high, log_scale) = log_scale ? log10(y / low) / log10(high / low) : \
	(y - low) / (high - low)

load DIR . ARG1 . ".gp"
unset multiplot
