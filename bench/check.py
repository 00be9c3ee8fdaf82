"""Measures how `check` judges right derivations with planted mistakes, and right ones that are rewritten.

python bench/check.py [count] [seed]
python bench/check.py INDEX

INDEX is a CSV, JSON or TOML file with a row for each answer: its file, its arm (a name or a file), whether it is right,
what was asked, and of a wrong one the mistake and where it first occurs. A class of 300 files is timed, too. Of an
INDEX of bad input, such as bench/answers/bad.toml, each stored file is printed with what the checker says.
tests/helpers/mutating.py plants the mistakes of the other measure and says when one counts as named;
tests/helpers/rewriting.py rewrites.
"""

from __future__ import annotations

import csv
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

from timing import stopwatch

import qddot
from qddot.base.errors import QddotError
from qddot.exact.equations.quantities import Quantities
from qddot.formats.confusions.of_arms import DEGREES, NO_ARMATURE, NO_DAMPING, NO_GRAVITY, SIGN_OF_GRAVITY
from qddot.formats.confusions.of_bodies import ABOUT_CENTRE, ABOUT_ORIGIN, NO_CENTRE, NO_MASS, NO_TENSOR
from qddot.teach.check.checking import check
from qddot.teach.check.judging.judge import judge
from qddot.teach.check.judging.judgement import Judgement
from qddot.teach.check.reading.read_answer import read_text

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "helpers"))
from answers import answer_of  # type: ignore[attr-defined]  # of tests, not the folder answers
from mutating import drawn, is_first  # type: ignore[import-not-found]
from rewriting import drawn as rewritten  # type: ignore[import-not-found]


class Answer(NamedTuple):
    """This is an answer of a corpus: its file, its arm, the expected verdict, and the mistake with its place, if any.

    asked: the required quantities and entries
    """

    file: Path
    arm: str
    verdict: str
    mistake: str
    first: str = ""
    asked: tuple[str, ...] = ()


# the kinds in which the checker may name each kind of a corpus
KINDS: dict[str, tuple[str, ...]] = {
    "half": ("half", "double", "factor", "number"),
    "double": ("half", "double", "factor", "number"),
    "coriolis_factor": ("half", "double", "factor", "number", "lost"),
    "sign": ("sign",),
    "gravity_sign": ("sign", SIGN_OF_GRAVITY.name),
    "gravity_missing": ("lost", NO_GRAVITY.name),
    "parallel_axis": ("parallel axis", "lost", ABOUT_ORIGIN.name, ABOUT_CENTRE.name),
    "inertia_point": ("parallel axis", "lost", "extra", "factor", "number", ABOUT_ORIGIN.name, ABOUT_CENTRE.name),
    "dropped_term": (
        "lost",
        "parallel axis",
        NO_ARMATURE.name,
        NO_DAMPING.name,
        NO_MASS.name,
        NO_TENSOR.name,
        NO_CENTRE.name,
    ),
    "added_term": ("extra",),
    "factor": ("half", "double", "factor", "number", "factor lost", "factor extra"),
    "swap_sin_cos": ("sine for cosine", "cosine for sine", "sine and cosine exchanged"),
    "angle": ("angle not summed", "angle summed", "another angle"),
    "index": (
        *("symbol", "mass", "mass of another link", "symbols exchanged", "masses exchanged", "rate", "acceleration"),
        *("rates exchanged", "another angle"),
    ),
    "exponent": ("square lost", "factor lost", "factor extra"),
    "derivative": (
        "rate for acceleration",
        "lost",
        "square lost",
        "factor lost",
        "factor extra",
        "rate",
        "acceleration",
    ),
    "rates_missing": ("rates lost", "factor lost", "rate not summed"),
    "degrees": (DEGREES.name,),
    "units": ("units", "factor", "number", "factor lost", "factor extra", DEGREES.name),
}
PLACES = (("Gamma", "Γ"), ("eq", "tau"), ("qdd", "tau"), ("acc", "tau"))
# what may be written in too many forms to say which entries it needs
LOOSE = ("accelerations", "acc", "qdd", "Christoffel", "K", "P", "L", "B", "C2", "N", "J", "tip")


def main(*arguments: str) -> None:
    if arguments and not arguments[0].isdecimal():
        index = Path(arguments[0])
        if any("says" in row for row in _rows(index)):
            bad_input(index)
            return
        corpus(index)
        a_class()
        return
    count, seed = int(arguments[0]) if arguments else 300, int(arguments[1]) if len(arguments) > 1 else 1
    mistakes(count, seed)
    rewritings(count, seed)
    puma()


def answers_in(index: Path) -> list[Answer]:
    """Returns the rows of an index; an arm that does not ship is a file in the folder of the index."""
    return [_answer(row, index.parent) for row in _rows(index)]


def _rows(index: Path) -> list[Any]:
    text = index.read_text(encoding="utf-8")
    if index.suffix == ".csv":
        return list(csv.DictReader(text.splitlines()))
    data = json.loads(text) if index.suffix == ".json" else tomllib.loads(text)
    return data if isinstance(data, list) else next(each for each in data.values() if isinstance(each, list))


def bad_input(index: Path) -> None:
    """Prints what is said of each stored file that is no answer; tests/bench/test_corpus.py makes the others."""
    eq, stored = qddot.load("two_link").equations().quantities, 0
    for row in _rows(index):
        if "generate" not in row:
            said, _, why = verdict_on(eq, Answer(index.parent / row["file"], "two_link", "", ""))
            print(f"{row['file']} {said}: {why[:200]}")
            stored += 1
    print(f"{stored} files, each with its reason; {len(_rows(index)) - stored} others are made by a test")


def _answer(row: Mapping[str, Any], folder: Path) -> Answer:
    said = str(row.get("verdict", row.get("right", row.get("wrong")))).lower()
    if "verdict" not in row:
        right = said in ("true", "right", "1", "yes", "correct") if "right" in row else said in ("false", "0", "no")
        said = "right" if right else "wrong"
    arm = next((str(path) for path in _arms(folder, str(row["arm"])) if path.is_file()), str(row["arm"]))
    mistake = str(row.get("mistake") or row.get("kind") or "")
    asked = tuple(name for name in row.get("asked", ()) if name not in LOOSE)
    return Answer(folder / str(row["file"]), arm, said, mistake, str(row.get("first") or ""), asked)


def _arms(folder: Path, arm: str) -> list[Path]:
    return [folder / arm, folder / f"{arm}.toml", folder / "arms" / arm, folder / "arms" / f"{arm}.toml"]


def corpus(index: Path) -> None:
    """Prints the verdicts on the answers in an index, and each one that differs from the index."""
    counts: Counter[tuple[str, str]] = Counter()
    named: Counter[str] = Counter()
    seconds: list[float] = []
    arms: dict[str, Quantities] = {}
    for answer in answers_in(index):
        if answer.arm not in arms:
            arms[answer.arm] = qddot.load(answer.arm).equations().quantities
        elapsed = stopwatch(process_time)
        said, judgement, why = verdict_on(arms[answer.arm], answer)
        seconds.append(elapsed())
        counts[answer.verdict, said] += 1
        if answer.verdict == "wrong" and judgement is not None and said == "rejected":
            named[_named(judgement, answer)] += 1
        if said != {"right": "accepted", "wrong": "rejected", "incomplete": "not read"}.get(answer.verdict, said):
            print(
                f"{answer.verdict} {said}: {answer.file.name} ({Path(answer.arm).stem}) {answer.mistake}: {why[:300]}"
            )
    for verdict in sorted({verdict for verdict, _ in counts}):
        shares = {said: counts[verdict, said] for said in ("accepted", "rejected", "not read")}
        print(f"{verdict}: {sum(shares.values())}, {', '.join(f'{said} {count}' for said, count in shares.items())}")
    told = ", ".join(f"{how} {count}" for how, count in sorted(named.items()))
    print(f"mistakes named in the {sum(named.values())} rejected wrong answers: {told}")
    print(f"seconds: mean {sum(seconds) / len(seconds):.3f}, slowest {max(seconds):.2f}")


def verdict_on(eq: Quantities, answer: Answer) -> tuple[str, Judgement | None, str]:
    """Returns the verdict on an answer: "accepted", "rejected" if something is wrong, else "not read"."""
    try:
        judgement = check(eq, answer.file, None, {}, answer.asked or None)
    except QddotError as error:
        return "not read", None, str(error)
    said = "accepted" if judgement else "rejected" if judgement.wrong else "not read"
    return said, judgement, " | ".join(judgement.summary())


def _named(judgement: Judgement, answer: Answer) -> str:
    """Returns how well a mistake is named: its kind at its place, the kind alone, or neither.

    The kinds are compared by KINDS. A place is compared where the corpus has an entry of the judgement there; a name
    that the text defines is none, and then the kind decides.
    """
    first = next((to + answer.first[len(of) :] for of, to in PLACES if answer.first.startswith(of)), answer.first)
    names = {(entry.quantity, entry.place): entry.name for entry in judgement.entries}
    kinds = [each.likeliest for each in judgement.explanations if each.likeliest.kind in KINDS.get(answer.mistake, ())]
    if not kinds:
        return "as another kind" if judgement.explanations else "not at all"
    is_there = any(names.get(place) == first for each in kinds for place in each.explains)
    return "kind and place" if is_there else "kind" if first in names.values() else "kind, no place to compare"


def a_class(count: int = 300) -> None:
    """Prints the seconds for a class of different answers in one folder, right ones and wrong ones."""
    form = "M11 = m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*cos(q2)\nM12 = m2*l**2/3 + {}*m2*l**2*cos(q2)\nM22 = m2*l**2/3\n"
    with TemporaryDirectory() as folder:
        for k in range(count):
            text = form.format("1/2" if k % 2 else f"{k + 3}/7")
            Path(folder, f"{k:03}.txt").write_text(text, encoding="utf-8")
        elapsed = stopwatch(perf_counter)
        grades = qddot.load("two_link").check_all(folder)
        print(f"a class of {len(grades.grades)} files: {elapsed():.1f} s")


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
