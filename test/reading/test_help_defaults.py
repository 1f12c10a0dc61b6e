"""The defaults that a script's --help names in brackets are those that the script has."""
import functools
import importlib
import re
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
SCRIPTS = TOP / "scripts"

# where a script leaves a default to others
OTHERS = ("reading/environment.py", "reading/pairing.py", "reading/published_tables.py",
          "tools/lying-disk.sh", "tools/simulated_disk.c")
# What is told in words, or of an option that has several, and what has it so in the source: all
# that is between the dots.
WORDS = {
    "--burst 60": "disk_limit burst_s 60",
    "--metric ops_per_sec": "${metric:-${bisect:-ops_per_sec}}",
    "--repeat 1": "repeat=${repeat:-1}",
    "--stall 1s": '{"stall_at_ms", "1000"',
    "--until 48": "repeat=${repeat:-${until:+48}}",
    "$TMPDIR or /tmp": "dir=${TMPDIR:-/tmp}",
    "0: do not": "sustain=\n",
    "101 + k": "seed=101\n ... --seed=$((seed + number))",
    "128, Linux's default": "ahead=128",
    "1; 3 at --scale=full": "rounds=${rounds:-$(repro_choose 1 1 3)}",
    "5; in a bisection 8": '--repeat="${repeat:-5}" ... --repeat="${repeat:-8}"',
    "512Mi": "--size=512Mi",
    "ENGINE-BENCHMARK-THREADSt": '"\\(.label // .engine)-\\(.benchmark)-\\(.threads)t"',
    "DIRECTORY of --out": "${dir:-$out}",
    "OUT/db, or below STORAGE_DIR under storage.sh": "${databases:-${storage:-$out/db}}",
    "a table of 14, which --writers=list prints":
        'chosen=${chosen:-$(first_filesystem "$writers")}',
    "a temporary one with COMMAND; otherwise $TMPDIR, or /tmp, and assay-UID/servers below it":
        "usual=${TMPDIR:-/tmp}/assay-$(id -u)/servers",
    "all": 'kinds=${kinds:-$(first_filesystem "$file_systems")}',
    "all that are built": "${only:-$1}",
    "all that make finds, wiredtiger+type=lsm": "engines=$(lying_disk_engines)",
    "all that may be used": "os.sched_getaffinity(0)",
    "all whose libraries are installed, without null":
        "engines=$(make -s engines | tr ' ' '\\n' | sed '/^null$/d'",
    "mongodb: 27017": "port=${port:-27017}",
    "no limit": 'if "--p99" in given else None',
    "ops_per_sec; in an open loop p99":
        'asked or ("p99" if row_is_paced(row) else "ops_per_sec")',
    "pip installs it into a directory of its own below ${XDG_CACHE_HOME:-~/.cache}/assay, which is"
    " announced first":
        'os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")',
    "results/NAME-DATE, or NAME-DATE if the suite is installed":
        "out=$top/results/$name-$(date +%F) ... ${out:-$name-$(date +%F)}",
    "results/NAME-DATE": "out=$PWD/results/soak-$(date +%Y-%m-%d",
    "results/published": '"results", "published")',
    "results; the current directory if the suite is installed":
        "here=$PWD\n ... here=$PWD/results\n ... TMPDIR=${TMPDIR:-$here}",
    "that of RESULTS, if its directory has until.tsv": '"until.tsv")',
    "the suite's, as in the rows": "if options.commit:",
    "the time": "seed=$(($(date +%s) ",
    "their own defaults; but 0 for these three on a file, which would get holes, and for raw":
        "btrfs/0/* | btrfs//1 | f2fs/0/* | f2fs//1 | bcachefs/0/* | bcachefs//1)",
    "those that ROWS.json has rows of": "if of is None or d.document in of])",
    "unchanged": "ahead=\n",
    "what was measured": "title=title or _report_title(rows)",
}


def reader_of(script):
    """The module that has its options and its help, if one has."""
    path = SCRIPTS / "reading" / f"{script.stem}.py"
    return path if path.exists() and "\nHELP = " in path.read_text() else None


@functools.cache
def help_of(script):
    if reader_of(script):
        return importlib.import_module(f"reading.{script.stem}").HELP
    return subprocess.run(["sh", str(script), "--help"], capture_output=True, text=True,
                          check=True).stdout


def scripts():
    return [path for path in sorted([*SCRIPTS.glob("*.sh"), *SCRIPTS.glob("*/*.sh")])
            if path.name != "hdrmerge.sh"  # of which a program prints the table that it has
            and re.search("^# .*see --help[.]$", path.read_text(), re.MULTILINE)]


def told_defaults(text):
    """Of the brackets of a help, but for those of its usage: the option and what it says. One that
    is in no option's text is of the word before it."""
    found = []
    text = re.sub(r"^usage:.*\n(?: +(?:scripts/|assay).*\n)*", "", text)
    for line in re.sub(r"\n {8,}", " ", text).splitlines():
        head = re.match(r" {0,2}(--[a-z0-9_-]+|[A-Z_]+(?=  ))", line)
        for before, told in re.findall(r"(\S*)\s+\[([^][]+)\]", line):
            found.append((head[1] if head else before.split("=")[0], told))
    return found


def source_of(script):
    """Its own text, and that of the common part that has its options; or its reader's."""
    if reader_of(script):
        return reader_of(script).read_text()
    text = script.read_text().replace("\\\n", "")
    if "/repro-common.sh" in text:
        text += (SCRIPTS / "repro" / "repro-common.sh").read_text()
    return text


def shell_variable(name, text):
    """What it is before options are read, if that is something, or else where it is used."""
    form = r"""('[^']*'|"[^"]*"|\$\{[^}]*\}|[^\s'"]*)"""
    first = [value for line in re.findall(r"^[a-z_]+=.*", text, re.MULTILINE)
             for value in re.findall(rf"(?<![\w-]){name}={form}", line)][:1]
    return first if first not in ([], [""], ["''"]) \
        else re.findall(rf"\$\{{{name}:-([^}}]*)\}}", text)


def shell_defaults(option, text):
    found = re.findall(rf"\$\{{{option}:-([^}}]*)\}}", text)
    for name in re.findall(rf"{option}=[^)\n]*\)\s*([a-z_0-9]+)=", text):
        found += shell_variable(name, text)
    name = option.removeprefix("--")
    if re.search(rf'\bset_option "\$\w+" [^|\n]*\b{name}\b', text):
        found += shell_variable(name, text)
    return [again for value in found for again in
            (shell_variable(value[1:], text) if re.fullmatch(r"\$[a-z_]+", value) else [value])]


def python_defaults(option, text):
    field = option.removeprefix("--").replace("-", "_")
    ways = (rf"^    {field}: \w+ = (.*)", rf'\.get\("{option}", (".*?")\)',
            rf'"{option}" in given else (.*)')
    return [value for way in ways for value in re.findall(way, text, re.MULTILINE)]


def in_words(script, option, told):
    """The key of WORDS."""
    words = re.sub("^all: .*", "all", told.replace(f"{script.stem}-D", "NAME-D"))
    return f"{option} {told}" if f"{option} {told}" in WORDS else words


def wrong_defaults(script):
    """Of what its help says: (option, what it says, what is so)."""
    text, wrong = source_of(script), []
    others = "".join((SCRIPTS / name).read_text() for name in OTHERS)
    of = python_defaults if reader_of(script) else shell_defaults
    for option, told in told_defaults(help_of(script)):
        found = {value.strip("'\"") for value in of(option, text)}
        words = WORDS.get(in_words(script, option, told))
        as_told = words and all(part in text + others for part in words.split(" ... "))
        if found != {told} and not as_told:
            wrong.append((option, told, found))
    return wrong


@pytest.mark.parametrize("script", scripts(), ids=lambda path: str(path.relative_to(SCRIPTS)))
def test_what_help_says_of_defaults_is_so(script):
    assert wrong_defaults(script) == []


def test_defaults_are_found():
    told = [(script, *one) for script in scripts() for one in told_defaults(help_of(script))]
    assert len(told) > 150
    assert WORDS.keys() <= {in_words(*one) for one in told}
    text = "usage: a [x]\n\n  --num=N   so\n            many [5]. At\n  ROUNDS  x [1 2]\nb=N [c]\n"
    assert told_defaults(text) == [("--num", "5"), ("ROUNDS", "1 2"), ("b", "c")]
    assert shell_defaults("--num", "a=1 n=5 b=\n--num=?*) n=$value ;;\nn=6\n") == ["5"]
    assert shell_defaults("--num", "n=''\n--num=?*)\n\tn=$value ;;\nn=${n:-6}\n") == ["6"]
    assert shell_defaults("--num", "num=5\nset_option \"$1\" a num b || x\nnum=6\n") == ["5"]
    assert shell_defaults("ROUNDS", "rounds=${ROUNDS:-1 2}\n") == ["1 2"]
    assert python_defaults("--p-value", '    p_value: str = "0.5"\n') == ['"0.5"']
