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
from qddot.apps.cli.words import language_in, sentence, unknown_language
from qddot.base.errors import QddotError
from qddot.base.system.collector import without_collector
from qddot.base.words.language import ENGLISH, language, speaking


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; every user error is one line on standard error."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    with speaking(language_in(words)):
        unknown = unknown_language()
        if unknown:
            complain(unknown)
        return _main(words)


def _main(words: list[str]) -> int:
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        complain(sentence("standard-output-closed-expected"))
        return MISTAKE
    if hasattr(sys.stdout, "reconfigure"):
        # a terminal that cannot show τ shows a substitute
        sys.stdout.reconfigure(errors="replace")
    warnings.showwarning = lambda message, *_: complain(str(message))
    try:
        return _code(words)
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
        complain(sentence("stopped-by-user"))
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except OSError as error:
        complain(sentence("output-cannot-written", strerror=error.strerror))
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
        with speaking(ENGLISH if vars(chosen).get("json") else language()):  # JSON is the same in all languages
            return int(chosen.run(chosen))
    finally:
        sys.stdout.flush()
