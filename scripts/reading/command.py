"""How a script begins and ends: its options, its messages, its exit status."""
from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

#: the name of the script, for its messages
script = "reading"
#: the directory of the scripts, which may be a link to another tree's
SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: what it is in, as far as its path says
TOP = os.path.dirname(SCRIPTS)

Main = Callable[[list[str]], "int | None"]


class Failure(Exception):
    """The end of a script, with a status and a line for each reason."""

    def __init__(self, status: int, *reasons: str) -> None:
        super().__init__(*reasons)
        self.status = status


def fail(status: int, *reasons: str) -> NoReturn:
    raise Failure(status, *reasons)


def warn(text: str) -> None:
    """A line on stderr, with the script's name before it."""
    sys.stdout.flush()
    print(f"{script}: {text}", file=sys.stderr)


def run_main(main: Main, arguments: list[str], help: str = "") -> NoReturn:
    """Ends the process with what `main` returns, None being 0; or with its failure. Of a script
    that has a help --help is answered here."""
    for stream in (sys.stdout, sys.stderr):
        # a row may hold bytes of another locale
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")  # type: ignore[union-attr]
    # a reader ends before garbage matters, and looking for it takes a third of its time
    gc.disable()
    try:
        status = 0
        if help and "--help" in arguments:
            print(help.removesuffix("\n"))
        else:
            status = main(arguments) or 0
        sys.stdout.flush()
    except Failure as failure:
        for reason in failure.args:
            warn(reason)
        status = failure.status
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:
        status = 141
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        warn("cannot write: " + os.strerror(errno.ENOSPC))
        status = 1
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        import traceback

        at = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(at.filename)}:{at.lineno}"
        warn(f"a row has what cannot be read ({place}: {type(error).__name__}: {error})")
        status = 1
    if status == 141 or sys.stdout.closed:
        os._exit(status)
    # what is still in the buffer has nowhere to go
    try:
        sys.stdout.flush()
    except OSError:
        os._exit(status or 1)
    sys.exit(status)


def readable(path: str, option: str = "") -> None:
    """Ends the script unless `path` is a file that can be read."""
    said = f"{option}: " if option else ""
    if os.path.isdir(path):
        fail(2, f"{said}{path} is a directory; give a file")
    if not os.access(path, os.R_OK):
        fail(2, f"{said}cannot read {path}")


def whole_option(option: str, value: str, least: int | None = None) -> int:
    """A whole number of at most nine digits; or the end."""
    if value.isascii() and value.isdigit() and len(value) <= 9 and int(value) >= (least or 0):
        return int(value)
    from_least = "" if least is None else f" from {least}"
    fail(2, f"{option}: cannot read '{value}'; give a whole number{from_least}")


def split_option(argument: str) -> tuple[str, str | None]:
    """`--name=value` as ("--name", "value"), `--name` as ("--name", None)."""
    name, equals, value = argument.partition("=")
    return name, value if equals else None


def is_option(argument: str) -> bool:
    return argument.startswith("-") and argument != "-"


def read_options(arguments: Sequence[str], flags: Sequence[str] = (),
                 values: Sequence[str] = ()) -> tuple[dict[str, str], list[str]]:
    """The options by their names, and the other arguments.

    `flags` have no value, which is "" here; `values` need one. What is neither ends the script.
    """
    found: dict[str, str] = {}
    others = []
    for argument in arguments:
        name, value = split_option(argument)
        if not is_option(argument):
            others.append(argument)
        elif value is None and name in flags:
            found[name] = ""
        elif value and name in values:
            found[name] = value
        else:
            fail(2, f"cannot read '{argument}'; see --help")
    return found, others
