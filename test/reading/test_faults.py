"""The table of faulty disks."""
from reading import faults


def trial(configuration, fault, outcome, seed=1):
    return {"configuration": configuration, "fault": fault, "outcome": outcome, "seed": seed,
            "command": f"again {seed}", "words": "w"}


TRIALS = [trial("a", "sync", "right"), trial("a", "sync", "lost", 2), trial("a", "sync", "lost", 3),
          trial("a", "flip", "told"), trial("b", "sync", "died")]


def test_the_worst_outcome_is_told_and_in_how_many_trials():
    lines = faults.faults_table(faults.fault_outcomes(TRIALS), ["sync", "flip"])
    assert [line.split() for line in lines] == [
        ["engine", "sync", "flip"], ["a", "lost", "2/3", "told"], ["b", "died"]]


def test_the_command_is_that_of_the_first_worst_trial():
    flip, sync, _ = faults.fault_outcomes(TRIALS)
    assert flip.worst["outcome"] == "told" and flip.trials == 1
    assert sync.worst["command"] == "again 2" and list(sync.counts) == [0, 2, 0, 0, 1]
