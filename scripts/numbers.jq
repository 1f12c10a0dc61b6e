# numbers.jq: figures as texts, every form of them once; for jq -L scripts.

# rounded to so many digits after the point
def to($places): ([1, 10, 100, 1000, 10000, 100000][$places]) as $unit | . * $unit | round / $unit;

# in a unit, rounded to two digits after the point
def per($unit): . / ($unit / 100) | round / 100;

# a whole number with commas: 1,234,567
def commas: if . == null then "-" elif . < 0 then "-" + (-. | commas) else
	(round | tostring) as $digits | ($digits | length) as $n | reduce range($n) as $i (""; . +
		(if $i > 0 and ($n - $i) % 3 == 0 then "," else "" end) + $digits[$i:$i + 1]) end;

# three digits that count, as a person reads them: 12,345, 123, 12.3, 0.012
def three: if . == null then "-" elif type != "number" then tostring elif . == 0 then "0"
	elif fabs >= 100 then commas
	else to(if fabs >= 10 then 1 elif fabs >= 1 then 2 elif fabs >= 0.01 then 3 else 5 end) | tostring end;

# with so many digits after the point, also if they are zeros: 1.90
def fixed($places): if . < 0 then "-" + (-. | fixed($places)) elif $places == 0 then round | tostring
	else pow(10; $places) as $unit | (. * $unit | round) as $n |
		"\($n / $unit | floor).\(("000" + ($n % $unit | tostring))[-$places:])" end;
# three digits: 7.88, 93.5, 935
def digits: fixed(if fabs >= 99.95 then 0 elif fabs >= 9.995 then 1 else 2 end);
# two digits below 10, such as 9.8 and 1.0, and no fraction above
def rough: if . == 0 then "0" else fixed(if fabs < 9.95 then 1 else 0 end) end;

# with what they are counted in: 7.88 M, 935 k, 101
def short: if . == null then "-" elif fabs >= 999.5e6 then "\(. / 1e9 | digits) G" elif fabs >= 999.5e3 then "\(. / 1e6 | digits) M"
	elif fabs >= 999.5 then "\(. / 1e3 | digits) k" elif . == floor then tostring else digits end;

# the same without a blank, and in sentences: 1.82M, 44.2k, 0.95
def show: def digits: to(if fabs >= 100 then 0 elif fabs >= 10 then 1 else 2 end) | tostring;
	if . == null then "-" elif type != "number" then tostring
	elif fabs >= 1e9 then (. / 1e9 | digits) + "G" elif fabs >= 1e6 then (. / 1e6 | digits) + "M"
	elif fabs >= 1e4 then (. / 1e3 | digits) + "k" else digits end;

# an interval beside its figure, from the factor by which it goes up and down: " ±4.2 %", where both are nearly that, or
# " +50 −33.3 %"; nothing if there is none
def plus_minus: if . == null then "" elif . < 1.1 then " ±\(log * 100 | show) %"
	else " +\((. - 1) * 100 | show) −\((1 - 1 / .) * 100 | show) %" end;

# nanoseconds: 71 ns, 1.9 us, 24 us, 1.7 ms
def time: if . == null then "-" elif . >= 999.5e6 then "\(. / 1e9 | rough) s" elif . >= 999.5e3 then "\(. / 1e6 | rough) ms"
	elif . >= 999.5 then "\(. / 1e3 | rough) us" else "\(rough) ns" end;

# a fraction: 31 %, 9.8 %, 0.25 %
def percent: if . == null then "-" else "\(. * 100 | if fabs < 0.995 then to(2) else rough end) %" end;
# how many times as much: 4.1 x, 1/49
def times: if . >= 0.995 then "\(rough) x" else "1/\(1 / . | if . < 9.95 then rough else round end)" end;

# the same, a near thing with two digits: 1.02 x, 0.96 x
def factor: if . > 0.905 and . < 1.095 then "\(fixed(2)) x" else times end;

# KiB, in whatever fits
def size: if . >= 1048576 then "\(. / 1048576 | three) GiB"
	elif . >= 1024 then "\(. / 1024 | three) MiB" else "\(three) KiB" end;

# as it is said: 1234, 123.4, 12.34
def plain: if . == null then "nothing" elif fabs >= 1000 then round elif fabs >= 100 then to(1) else to(2) end |
	tostring;
