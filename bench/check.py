"""Mistakes planted in right derivations, and right ones rewritten: what does `check` say of them?

python bench/check.py [count] [seed]
python bench/check.py INDEX

INDEX is a CSV, JSON or TOML file with a row for each answer: its file, its arm (a name or a file), whether it is right,
and of a wrong one the mistake. tests/mutating.py plants the mistakes of the other measure and says when one counts as
named; tests/rewriting.py rewrites.
"""

from __future__ import annotations

import csv
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from timing import stopwatch

import qddot
from qddot.check.checking import check
from qddot.check.judging.judge import judge
from qddot.check.judging.judgement import Judgement
from qddot.check.reading.read_answer import read_text
from qddot.equations.quantities import Quantities
from qddot.errors import QddotError

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from answers import answer_of  # type: ignore[attr-defined]  # of tests, not the folder answers
from mutating import drawn, is_first  # type: ignore[import-not-found]
from rewriting import drawn as rewritten  # type: ignore[import-not-found]


class Answer(NamedTuple):
    """An answer of a corpus: its file, its arm, whether it is right, and the mistake in it, if it is wrong."""

    file: Path
    arm: str
    right: bool
    mistake: str


def main(*arguments: str) -> None:
    if arguments and not arguments[0].isdecimal():
        corpus(Path(arguments[0]))
        return
    count, seed = int(arguments[0]) if arguments else 300, int(arguments[1]) if len(arguments) > 1 else 1
    mistakes(count, seed)
    rewritings(count, seed)
    puma()


def answers_in(index: Path) -> list[Answer]:
    """Returns the rows of an index; what is no name of the zoo is a file beside the index."""
    text = index.read_text(encoding="utf-8")
    if index.suffix == ".csv":
        rows: list[Any] = list(csv.DictReader(text.splitlines()))
    else:
        data = json.loads(text) if index.suffix == ".json" else tomllib.loads(text)
        rows = data if isinstance(data, list) else next(each for each in data.values() if isinstance(each, list))
    return [_answer(row, index.parent) for row in rows]


def _answer(row: Mapping[str, Any], folder: Path) -> Answer:
    said = str(row.get("right", row.get("verdict", row.get("wrong")))).lower()
    right = said in ("true", "right", "1", "yes", "correct") if "wrong" not in row else said in ("false", "0", "no")
    arm = next((str(path) for path in _arms(folder, str(row["arm"])) if path.is_file()), str(row["arm"]))
    return Answer(folder / str(row["file"]), arm, right, str(row.get("mistake") or row.get("kind") or ""))


def _arms(folder: Path, arm: str) -> list[Path]:
    return [folder / arm, folder / f"{arm}.toml", folder / "arms" / arm, folder / "arms" / f"{arm}.toml"]


def corpus(index: Path) -> None:
    """Prints what the checker says of the answers in an index, and each that it judges otherwise than the index."""
    counts: Counter[str] = Counter()
    seconds: list[float] = []
    arms: dict[str, Quantities] = {}
    for answer in answers_in(index):
        if answer.arm not in arms:
            arms[answer.arm] = qddot.load(answer.arm).equations().quantities
        elapsed = stopwatch(process_time)
        said, judgement, why = _said(arms[answer.arm], answer.file)
        seconds.append(elapsed())
        kind = "right" if answer.right else "wrong"
        counts[f"{kind} {said}"] += 1
        named = judgement is not None and bool(judgement.mistakes)
        counts["wrong named"] += not answer.right and said == "rejected" and named
        if said != ("accepted" if answer.right else "rejected"):
            print(f"{kind} {said}: {answer.file.name} ({Path(answer.arm).stem}) {answer.mistake}: {why[:300]}")
    for kind in ("right", "wrong"):
        whole = sum(counts[f"{kind} {said}"] for said in ("accepted", "rejected", "unread")) or 1
        shares = [f"{said} {counts[f'{kind} {said}']}" for said in ("accepted", "rejected", "unread")]
        print(f"{kind}: {whole}, {', '.join(shares)} ({100 * counts[f'{kind} accepted'] / whole:.1f} % accepted)")
    print(f"mistakes named: {counts['wrong named']} of {counts['wrong rejected']} rejected")
    print(f"seconds: mean {sum(seconds) / len(seconds):.3f}, slowest {max(seconds):.2f}")


def _said(eq: Quantities, file: Path) -> tuple[str, Judgement | None, str]:
    """Returns what is said of an answer: "accepted", "rejected" if something is wrong, else "unread"."""
    try:
        judgement = check(eq, file, None, {})
    except QddotError as error:
        return "unread", None, str(error)
    said = "accepted" if judgement else "rejected" if judgement.wrong else "unread"
    return said, judgement, " | ".join(judgement.summary())


def mistakes(count: int, seed: int) -> None:
    """Prints how many derivations with a mistake are found different, and of how many the mistake is named first."""
    different, itself, same, seconds, missed = 0, 0, 0, list[float](), list[str]()
    by_kind: Counter[str] = Counter()
    for kind, planted in drawn(count, seed):
        elapsed = stopwatch(process_time)
        found = judge(planted.eq, planted.answer)
        seconds.append(elapsed())
        first, alike = is_first(found, planted.truth)
        different, itself, same = different + (not found), itself + first, same + alike
        if not alike:
            by_kind[kind] += 1
            said = [str(mistake) for mistake in found.explanations[0].all] if found.explanations else []
            missed.append(f"{kind}: {planted.place}, {planted.truth.kinds} {planted.truth.words}; said: {said}")
    for line in missed:
        print("missed:", line)
    print(f"{different} of {count} found different")
    share = f"{100 * same / count:.1f} %"
    print(f"{same} of {count} named first ({share}), {itself} in the first sentence; missed {dict(by_kind)}")
    print(f"seconds: mean {sum(seconds) / count:.3f}, slowest {max(seconds):.2f}")


def rewritings(count: int, seed: int) -> None:
    """Prints how many right derivations, written in other ways, are refused."""
    refused, elapsed = 0, stopwatch(process_time)
    for each in rewritten(count, seed):
        found = judge(each.eq, read_text(each.text, each.eq, each.rename))
        if not found:
            refused += 1
            print("refused:", each.about, *found.summary()[:3])
    print(f"{refused} of {count} rewritings refused, {elapsed() / count:.3f} s each")


def puma() -> None:
    """Prints the time for the mass matrix of the PUMA 560 in the forms of 1986, right and wrong."""
    for name in ("puma560_1986", "puma560_akb"):
        eq = qddot.load(name).equations().quantities
        M = eq.in_joint_angles.M
        for what, array in (("right", M), ("q2 for q3", M.subs(q3="q2")), ("every sign", -M)):
            elapsed = stopwatch(process_time)
            found = judge(eq, answer_of({"M": array}))
            print(f"{name}, {what}: {elapsed():.2f} s, {', '.join(map(str, found.mistakes)) or 'equal'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
