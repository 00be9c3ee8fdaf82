"""Judges the sets of answers, and writes into docs/reference/check.md what `check` said of each, blind and today.

python bench/answers/blind.py           prints the section
python bench/answers/blind.py --write   writes it between its marks in docs/reference/check.md

blind.toml has the figures of each set as they were first measured, before anything was mended on it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "reference" / "check.md"
BEGIN, END = "<!-- made by bench/answers/blind.py: begin -->\n", "<!-- end -->\n"
AS_ITS_AUTHOR = {"right": "accepted", "wrong": "rejected"}
HEADS = (
    "| set | answers | right accepted | right called wrong | wrong accepted | wrong rejected | mistake named |\n"
    "|---|---|---|---|---|---|---|\n",
    "| set | answers | right accepted | right called wrong | wrong accepted | wrong rejected |\n"
    "|---|---|---|---|---|---|\n",
    "| answer | its author says | `check` says |\n|---|---|---|\n",
)
sys.path.append(str(HERE.parent))

import check  # noqa: E402  # bench/check.py

import qddot  # noqa: E402
from qddot.exact.equations.quantities import Quantities  # noqa: E402


class Said(NamedTuple):
    """This is what was said of an answer: accepted, rejected, or not read."""

    name: str
    verdict: str
    said: str


@cache
def equations_of(arm: str) -> Quantities:
    return qddot.load(arm).equations().quantities


def sets() -> list[str]:
    """Returns the names of the sets, in the order in which they were written."""
    return ["index", *(each["set"] for each in blind_figures())]


def blind_figures() -> list[dict[str, Any]]:
    """Returns the figures of the sets as they were first measured."""
    figures: list[dict[str, Any]] = tomllib.loads((HERE / "blind.toml").read_text(encoding="utf-8"))["blind"]
    return figures


@cache
def said_of(name: str) -> list[Said]:
    """Returns what `check` says of the right and the wrong answers of a set."""
    answers = [each for each in check.answers_in(HERE / f"{name}.toml") if each.verdict in AS_ITS_AUTHOR]
    return [
        Said(each.file.relative_to(HERE).as_posix(), each.verdict, check.verdict_on(equations_of(each.arm), each)[0])
        for each in answers
    ]


@cache
def accepted_cheats() -> list[str]:
    """Returns the texts that only look like right answers, and are accepted."""
    answers = check.answers_in(HERE / "cheating.toml")
    said = {each.file.name: check.verdict_on(equations_of(each.arm), each)[0] for each in answers}
    return sorted(name for name, verdict in said.items() if verdict == "accepted")


def cheats() -> str:
    """Returns a sentence on the texts that only look like right answers."""
    count, listed = len(check.answers_in(HERE / "cheating.toml")), ", ".join(f"`{name}`" for name in accepted_cheats())
    return f"Of {count} texts that only look like right answers (`cheating.toml`), accepted: {listed or 'none'}.\n"


def row(name: str, said: Sequence[Said]) -> str:
    """Returns a row of the table of today."""
    right, wrong = ([each.said for each in said if each.verdict == verdict] for verdict in AS_ITS_AUTHOR)
    counts = (
        f"{right.count('accepted')}/{len(right)}",
        right.count("rejected"),
        wrong.count("accepted"),
        f"{wrong.count('rejected')}/{len(wrong)}",
    )
    return f"| `{name}.toml` | {len(said)} | {' | '.join(map(str, counts))} |\n"


def unlike_their_authors(said: Sequence[Said]) -> list[str]:
    """Returns rows for the answers of which `check` does not say what their authors say."""
    return [
        f"| `{each.name}` | {each.verdict} | {each.said} |\n"
        for each in said
        if each.said != AS_ITS_AUTHOR[each.verdict]
    ]


def section() -> str:
    """Returns the section of the page: the blind figures, those of today, and the answers judged otherwise."""
    of_sets = {name: said_of(name) for name in sets()}
    return "".join(
        [
            *("**Measured blind**, before anything was mended on a set:\n\n", HEADS[0]),
            *map(_blind_row, blind_figures()),
            *("\n**Today**, as the tests hold it:\n\n", HEADS[1]),
            *(row(name, said) for name, said in of_sets.items()),
            "\n**Judged otherwise than their authors say.** No right answer should be rejected, and no wrong one ",
            *("accepted; these remain:\n\n", HEADS[2]),
            *(line for said in of_sets.values() for line in unlike_their_authors(said)),
            f"\n{cheats()}",
        ]
    )


def _blind_row(each: dict[str, Any]) -> str:
    columns = ("answers", "right", "called_wrong", "wrong_accepted", "wrong", "named")
    return f"| `{each['set']}.toml` | {' | '.join(str(each[column]) for column in columns)} |\n"


def _written() -> Iterator[str]:
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    yield from (before, BEGIN, section(), END, rest.split(END)[1])


if __name__ == "__main__":
    if "--write" in sys.argv:
        PAGE.write_text("".join(_written()), encoding="utf-8")
    else:
        print(section())
