"""Feeds whole reports to `check` as answers: each arm that ships, by each route, in each language, at each level.

`python bench/reports_as_answers.py` does all of them, `python bench/reports_as_answers.py panda baxter` some; it lists
the reports that are not accepted, with their wrong entries and the formulas that were not read. The formats take
turns; a report without equations, or longer than an answer may be, does not count. Each arm and route has its own
process, which is ended after a quarter of an hour.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from timing import stopwatch

import qddot
from qddot.equations.routes import ROUTES
from qddot.errors import QddotError
from qddot.report import report_file
from qddot.report.arm_report import Derivation, base_of, report
from qddot.report.languages import LANGUAGES
from qddot.report.levels import DERIVED_WHOLE, FULL, LEVELS

LONGEST = 900  # seconds for one arm by one route
TEXTS = (".md", ".tex", ".typ", ".html", ".ipynb")
# what check says of summaries of the longest arms, which have no equations, and of some whole derivations of six joints
NO_ANSWERS = ("no quantity of the equations in the answer", "the text is too long")
SHORTEST = TEXTS[:3]  # others are longer than an answer may be, where six joints are shown whole


def refused(name: str, route: str, folder: Path) -> Iterator[str]:
    """Yields the reports of an arm by a route that are not accepted, and why."""
    arm = qddot.load(name)
    eq = arm.equations(route)
    derivation = Derivation([eq.textbook()], eq.prove([]), base_of(arm.model))
    turn = list(qddot.zoo()).index(name) + list(ROUTES).index(route)
    for k, (lang, level) in enumerate(product(LANGUAGES, LEVELS), turn):
        formats = SHORTEST if level == FULL and arm.n > DERIVED_WHOLE else TEXTS
        suffix = formats[k % len(formats)]
        file = folder / f"{name}-{route}-{lang}-{level}{suffix}"
        report_file.write({file: report(derivation, lang, level=level)})
        try:
            judgement = arm.check(file)
        except QddotError as error:
            if not str(error.found).startswith(NO_ANSWERS):
                yield f"{file.name}: {error}"
            continue
        if not judgement or judgement.unread:
            wrong = [f"{entry.where.removeprefix(str(folder))} {entry.name} is wrong" for entry in judgement.wrong]
            unread = [f"{each.where.removeprefix(str(folder))} {each.text} {each.reason}" for each in judgement.unread]
            yield "\n    ".join([file.name, *wrong[:9], *unread[:9]])


def decide(name: str, route: str, send: Connection) -> None:
    """Sends the time that it took, and the reports that are not accepted."""
    elapsed = stopwatch(process_time)
    with TemporaryDirectory() as folder:
        found = list(refused(name, route, Path(folder)))
    send.send((elapsed(), found))


def main() -> None:
    wrong = 0
    for name in sys.argv[1:] or [name for name in qddot.zoo() if not qddot.load(name).model.freedoms]:
        for route in ROUTES:
            receive, send = get_context("spawn").Pipe(duplex=False)
            process = get_context("spawn").Process(target=decide, args=(name, route, send))
            process.start()
            send.close()
            try:
                seconds, found = receive.recv() if receive.poll(LONGEST) else (0, ["no answer in time"])
            except EOFError:
                seconds, found = 0, ["an error"]
            process.terminate()
            process.join()
            wrong += len(found)
            print(f"{name} {route}: {len(found)} refused, {seconds:.1f} s", *found, sep="\n  ", flush=True)
    print(f"{wrong} refused")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
