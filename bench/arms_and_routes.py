"""Decides something of every arm that ships by every route, each in its own process."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time

from timing import stopwatch

import qddot
from qddot.exact.equations.routes import ROUTES


def run(findings: Callable[[str, str], Iterator[str]], longest: float, word: str) -> None:
    """Prints the findings for the arms named in the command line, by default all, and exits with 1 if there are any.

    findings: yields what is wrong of an arm by a route; longest: seconds after which a process is ended
    """
    wrong = 0
    for name in sys.argv[1:] or [name for name in qddot.zoo() if not qddot.load(name).model.freedoms]:
        for route in ROUTES:
            seconds, lines = _in_process(partial(findings, name, route), longest)
            wrong += len(lines)
            print(f"{name} {route}: {len(lines)} {word}, {seconds:.1f} s", *lines, sep="\n  ", flush=True)
    print(f"{wrong} {word}")
    sys.exit(wrong > 0)


def _in_process(findings: Callable[[], Iterator[str]], longest: float) -> tuple[float, list[str]]:
    context = get_context("spawn")
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=_send, args=(findings, send))
    process.start()
    send.close()
    try:
        answer: tuple[float, list[str]] = receive.recv() if receive.poll(longest) else (0.0, ["no answer in time"])
    except EOFError:
        answer = 0.0, ["an error"]
    process.terminate()
    process.join()
    return answer


def _send(findings: Callable[[], Iterator[str]], send: Connection) -> None:
    elapsed = stopwatch(process_time)
    lines = list(findings())
    send.send((elapsed(), lines))
