# style.gp: the look all plots share; loaded by the others after OUT is set.
# A label has one colour and one mark wherever it appears.

if (OUT[strlen(OUT) - 3:] eq ".svg") {
	set terminal svg size 860, 560 font "DejaVu Sans,14" background "white" dynamic
	small = ",11"
} else {
	set terminal pngcairo size 1290, 840 font "DejaVu Sans,20" linewidth 1.5 background "white"
	small = ",16"
}
set output OUT
set encoding utf8
set micro
set border 3 linecolor "#606060"
set grid linecolor "#d8d8d8" linetype 1 linewidth 0.5
set tics nomirror
set key bmargin center horizontal reverse Left samplen 2 noenhanced
set title noenhanced

known = "null lmdb rocksdb leveldb wiredtiger bdb sqlite kyoto aio wiredtiger+type=lsm mdbx tkrzw tidesdb lsm toku hyper basho redis"
colours = "#7f7f7f #0072b2 #d55e00 #009e73 #cc79a7 #e69f00 #56b4e9 #8c564b #000000 #7a0177 #332288 #882255 #44aa99 #999933 #a6761d #66a61e #e7298a #ff1f1f"
# Of a label such as "lmdb:xfs" the engine has the colour, what it ran on the mark and the dashes.
storages = "ext4 ext4-nojournal xfs btrfs tmpfs raw"
in_list(list, what) = sum [i = 1:words(list)] (word(list, i) eq what ? i : 0)
place(label) = in_list(known, label[:strstrt(label . ":", ":") - 1])
storage(label) = in_list(storages, label[strstrt(label . ":", ":") + 1:])
# "lmdb+readahead=0" and "lmdb-1.0.2" that are not known themselves have that of lmdb.
before_sign(label, sign) = place(label[:strstrt(label . sign, sign) - 1])
kin(label) = place(label) ? place(label) : before_sign(label, "+") ? before_sign(label, "+") : before_sign(label, "-")
colour(label) = kin(label) ? word(colours, kin(label)) : "#b0a000"
# How many of the first i - 1 labels have the colour of the i-th: what there is to tell them apart by.
before(list, i) = sum [j = 1:i - 1] (colour(word(list, j)) eq colour(word(list, i)))
mark(label) = storage(label) ? 4 + storage(label) : place(label) ? 4 + place(label) : 3
dashes(label) = storage(label) ? storage(label) : 1
# Of a run such as "lmdb, 16 threads" the label.
of_run(name) = word(name[:strstrt(name . ",", ",") - 1], 1)

# What to divide rates by that go up to max, and the name of that.
unit(max) = max >= 2e6 ? 1e6 : max >= 2e3 ? 1e3 : 1
unit_name(u) = u == 1e6 ? "million " : u == 1e3 ? "thousand " : ""
