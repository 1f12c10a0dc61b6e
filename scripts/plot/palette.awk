# palette.awk: the words of palette.json that style.gp needs, a line each: the engines, their
# colours on light paper, marks and hollow marks. jq takes as long to begin as gnuplot to draw.
BEGIN { FS = "[{}:,\"]+" }
{ name = name $3 " "; light = light $5 " "; point = point $11 " "; hollow = hollow $13 " " }
END { print name; print light; print point; print hollow }
