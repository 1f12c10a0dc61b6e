# style.gp: the look all plots share; loaded by the others after OUT is set.
# An engine has one colour and one mark wherever it appears.

if (OUT[strlen(OUT) - 3:] eq ".svg") {
	set terminal svg size 860, 560 font "DejaVu Sans,14" background "white" dynamic
} else {
	set terminal pngcairo size 1290, 840 font "DejaVu Sans,20" linewidth 1.5 background "white"
}
set output OUT
set encoding utf8
set border 3 linecolor "#606060"
set grid linecolor "#d8d8d8" linetype 1 linewidth 0.5
set tics nomirror
set key bmargin center horizontal reverse Left samplen 2 noenhanced
set title noenhanced

engines = "null lmdb rocksdb leveldb wiredtiger bdb sqlite kyoto aio"
colours = "#7f7f7f #0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #8c564b #000000"
place(engine) = sum [i = 1:words(engines)] (word(engines, i) eq engine ? i : 0)
colour(engine) = place(engine) ? word(colours, place(engine)) : "#b0a000"
mark(engine) = place(engine) ? 4 + place(engine) : 3
# Of a label such as "lmdb, 16 threads" the first word.
engine_of(label) = word(label[:strstrt(label . ",", ",") - 1], 1)
