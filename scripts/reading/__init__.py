"""What reads rows and judges them.

Each script of scripts/ that answers a question about rows has a module here of its name, with
main(arguments). What they share, from the bottom up: command (how a script ends, its options),
text (figures as texts), stats (the statistics of build/stats), rows (files of rows, which of them
belong together), limits (what limited a run). Modules of questions import these, and not one
another but where docs/design.md says so.
"""
