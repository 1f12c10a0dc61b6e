# pages.sh: how scripts put pictures into a page; sourced.
# shellcheck shell=sh

# embedded CLASS: the SVG files whose names are read, each as a figure with its caption
# from captions.tsv beside it, or its name. Ids, and what refers to them, have a prefix of
# each; what only a file of its own has is left out, such as its title. Those of the class
# flame are flame graphs: titles are the numbers of their frames, and stay.
embedded () {
	number=0
	while IFS= read -r picture
	do
		[ -s "$picture" ] || continue
		number=$((number + 1))
		name=$(basename "$picture" .svg)
		caption=$(awk -F '\t' -v name="$name" '$1 == name { print $2 }' \
			"$(dirname "$picture")/captions.tsv" 2>/dev/null | tail -n 1 | jq -Rr @html) || caption=
		echo "<figure><div class=\"$1\" role=\"img\" aria-label=\"${caption:-$name}\">"
		[ "$1" = flame ] && named='' || named='s|<title>.*</title>||;'
		sed "/<?xml/d; /<!DOCTYPE/d; $named s|<desc>.*</desc>||; s|[ ]*xmlns[:a-z]*=\"[^\"]*\"||
			s|\\( id=[\"']\\)|\\1f$number-|g; s|\\(href=[\"']#\\)|\\1f$number-|g; s|url(#|url(#f$number-|g" "$picture"
		echo "</div><figcaption>${caption:-$name}</figcaption></figure>"
	done
}
