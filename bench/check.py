"""Mistakes planted in right derivations, and right ones rewritten: what does `check` say of them?

python bench/check.py [count] [seed]

tests/mutating.py plants the mistakes and says when one counts as named; tests/rewriting.py rewrites.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from time import process_time

from timing import stopwatch

import qddot
from qddot.check.judging.judge import judge
from qddot.check.reading.read_answer import read_text

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from answers import answer_of  # type: ignore[attr-defined]  # of tests, not the folder answers
from mutating import drawn, is_first  # type: ignore[import-not-found]
from rewriting import drawn as rewritten  # type: ignore[import-not-found]


def main(count: int = 300, seed: int = 1) -> None:
    mistakes(count, seed)
    rewritings(count, seed)
    puma()


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
    main(*map(int, sys.argv[1:]))
