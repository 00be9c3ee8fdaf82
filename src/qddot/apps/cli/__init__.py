"""The command line: `commands` lists the commands, each a file with `options` and `run`, which is loaded when it is
used.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Sequence

from qddot.apps.cli.output import INTERRUPTED, MISTAKE, UNREAD, complain
from qddot.base.errors import QddotError
from qddot.base.system.collector import without_collector


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; every user error is one line on standard error."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        complain("standard output is closed; expected a terminal, a file or /dev/null")
        return MISTAKE
    if hasattr(sys.stdout, "reconfigure"):
        # a terminal that cannot show τ shows a substitute
        sys.stdout.reconfigure(errors="replace")
    warnings.showwarning = lambda message, *_: complain(str(message))
    try:
        return _code(list(sys.argv[1:] if arguments is None else arguments))
    except QddotError as error:
        complain(str(error))
        return MISTAKE
    except ModuleNotFoundError as error:
        from qddot.base.system.parts import not_installed

        reason = not_installed(error)
        if reason is error:
            raise
        complain(str(reason))
        return MISTAKE
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except OSError as error:
        complain(f"the output cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return MISTAKE


def run() -> int:
    """Runs the process's command and returns its exit code; then the process ends."""
    code = main()
    gc.freeze()  # the garbage collector would traverse all modules once more, although the process is about to end
    return code


def _code(words: list[str]) -> int:
    """Returns the command's exit code, after all output is written."""
    try:
        with without_collector():  # the modules that are loaded here are needed to the end
            from qddot.apps.cli.command_line import chosen_by

            chosen = chosen_by(words)
        return int(chosen.run(chosen))
    finally:
        sys.stdout.flush()
