"""Compares every law and every entry of reports with the exact arrays, for all arms that ship, routes and languages.

`python bench/printed_laws.py` does all of them, `python bench/printed_laws.py panda baxter` some; it lists false
lines. Each arm and route has its own process, which is ended after half an hour.
"""

from __future__ import annotations

import sys
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "report"))

from false_laws import false_laws  # type: ignore[import-not-found]
from timing import stopwatch

import qddot
from qddot.equations.routes import ROUTES
from qddot.report.arm_report import Derivation, report
from qddot.report.languages import LANGUAGES

LONGEST = 1800  # seconds for one arm by one route


def decide(name: str, route: str, send: Connection) -> None:
    """Sends the time that it took, and what is false."""
    elapsed = stopwatch(process_time)
    eq = qddot.load(name).equations(route)
    short = eq.textbook()
    derivation = Derivation([short], eq.prove([]))
    found = list(false_laws([report(derivation, lang) for lang in LANGUAGES], [short]))
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
            print(f"{name} {route}: {len(found)} false, {seconds:.1f} s", *found[:9], sep="\n  ", flush=True)
    print(f"{wrong} false")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
