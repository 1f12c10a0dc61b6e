# variants.gp: the look of labels that are an engine and more, for the plots of reproductions; loaded after style.gp.
# "lmdb+readahead=0" is a variant of lmdb; a star after a label means that the figures are the publication's.

base(e) = e[:(strstrt(e . "+", "+") < strstrt(e . "*", "*") ? strstrt(e . "+", "+") : strstrt(e . "*", "*")) - 1]
printed(e) = e[strlen(e):] eq "*"
varied(e) = strstrt(e, "+") > 0
variant_colour(e) = place(e) ? colour(e) : place(base(e)) ? colour(base(e)) : "#b0a000"
variant_dashes(e) = printed(e) ? 3 : varied(e) ? 2 : 1
variant_mark(e) = mark(base(e)) + (varied(e) ? 7 : 0)
# "of_one_word" as "of one word"
join_words(name) = (strstrt(name, "_") ? name[:strstrt(name, "_") - 1] . " " . join_words(name[strstrt(name, "_") + 1:]) : name)
