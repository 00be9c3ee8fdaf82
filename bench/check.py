"""Mistakes planted in right derivations, and right ones rewritten: what does `check` say of them?

python bench/check.py [count] [seed]

tests/mutating.py plants the mistakes and says when one counts as named; tests/rewriting.py rewrites.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from time import process_time

from qddot.check.judging.judge import judge

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from mutating import drawn, is_first  # type: ignore[import-not-found]


def main(count: int = 300, seed: int = 1) -> None:
    mistakes(count, seed)


def mistakes(count: int, seed: int) -> None:
    """Prints how many derivations with a mistake are found different, and of how many the mistake is named first."""
    different, itself, same, seconds, missed = 0, 0, 0, list[float](), list[str]()
    by_kind: Counter[str] = Counter()
    for kind, planted in drawn(count, seed):
        planted.eq.in_joint_angles.christoffel  # derived before the clock runs, as in a session
        start = process_time()
        found = judge(planted.eq, planted.answer)
        seconds.append(process_time() - start)
        first, alike = is_first(found, planted.truth)
        different, itself, same = different + (not found), itself + first, same + alike
        if not alike:
            by_kind[kind] += 1
            said = [str(mistake) for mistake in found.explanations[0].all] if found.explanations else []
            missed.append(f"{kind}: {planted.place}, {planted.truth.kinds} {planted.truth.words}; said: {said}")
    for line in missed:
        print("missed:", line)
    print(f"{different} of {count} found different")
    print(
        f"{same} of {count} named first ({100 * same / count:.1f} %), {itself} in the first sentence; missed {dict(by_kind)}"
    )
    print(f"seconds: mean {sum(seconds) / count:.3f}, slowest {max(seconds):.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
