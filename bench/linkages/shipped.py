"""Names the closed chains that ship."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator

from linkages.parts import ZOO, Mechanism


def zoo() -> Iterator[Mechanism]:
    arms = {f"{kind}{k}{side}": 1.9 for kind in "u" for k in (1, 2, 3) for side in "ab"}
    motors = {"q1": 0.3, "q2": 0.3, "q3": 0.3, "z": -0.6}
    guesses: dict[str, dict[str, float]] = {
        "four_bar": {"q1": 1.0, "q2": -0.5, "q3": 1.5},
        "five_bar": {"q1": 2.0, "q2": -1.2, "q3": 1.0, "q4": 1.2},
        "slider_crank": {"q1": 1.0, "q2": -1.2, "x": 0.2},
        "scara_parallelogram": {"q1": 0.3, "q2": 1.4, "q3": -1.1, "q4": 1.1},
        "robotiq_2f85": {"q1": 0.3, "q2": 0.25, "q3": 0.2},
        "delta": motors,
        "delta_parallelograms": {**motors, **arms},
        "rolling_disc": {"theta": 0.2},
        "unicycle": {},
    }
    for name, guess in guesses.items():
        yield Mechanism(name, tomllib.loads((ZOO / f"{name}.toml").read_text(encoding="utf-8")), guess)
