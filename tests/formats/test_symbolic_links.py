"""`parameters = "symbols"`: links without mass and inertia have symbols for all of their parameters."""

from __future__ import annotations

import pytest

import qddot

ROWS = """
convention = "dh"
gravity = ["gx", "gy", "gz"]
symbols = "a2 a3 d2 gx gy gz"
parameters = "symbols"
link = [
  { dh = { theta = "q1", d = 0, a = 0, alpha = "-90deg" } },
  { dh = { theta = "q2", d = "d2", a = "a2", alpha = 0 } },
  { dh = { theta = "q3", d = 0, a = "a3", alpha = "90deg" } },
]
"""


def test_three_rows_have_thirty_parameters() -> None:
    arm = qddot.loads(ROWS)
    assert len(arm.model.symbols) == 36 and arm.model.symbols["mx2"].unit == "kg m"
    whole = qddot.load("puma560").with_locked(q4=0, q5=0, q6=0)
    zeros = {f"{name}{k}": 0 for k in (4, 5, 6) for name in ("m", "mx", "my", "mz")}
    zeros |= {f"I{xx}{k}": 0 for k in (4, 5, 6) for xx in ("xx", "xy", "xz", "yy", "yz", "zz")}
    assert arm.equations().M == whole.equations().M.subs(zeros)
    assert arm.equations().G[0] == arm.equations().G.subs(gx="gx")[0] and arm.prove()


def test_links_that_give_a_mass_keep_it() -> None:
    arm = qddot.loads(ROWS.replace("alpha = 0 } }", 'alpha = 0 }, mass = "a2" }'))
    assert "m2" not in arm.model.symbols and "m3" in arm.model.symbols
    assert str(arm.model.bodies[1].inertia.m) == "a2"


def test_declared_symbols_keep_their_values() -> None:
    arm = qddot.loads(
        ROWS.replace('symbols = "a2 a3 d2 gx gy gz"', "") + "[symbols]\nm1 = 2\na2 = 1\na3 = 1\nd2 = 0\n"
        "gx = 0\ngy = 0\ngz = -9.81\n"
    )
    assert arm.model.symbols["m1"].value == 2 and arm.model.symbols["m2"].value is None


def test_python_takes_it() -> None:
    row = {"theta": "q1", "d": 0, "a": "l", "alpha": 0}
    arm = qddot.from_dh([row], symbols="l", parameters="symbols", gravity=[0, "-g", 0])
    assert str(arm.equations().M).startswith("M11 = m1*l**2 + 2*mx1*l + Izz1")


@pytest.mark.parametrize("value", ['"numbers"', "true", "[1]"])
def test_another_value_is_refused(value: str) -> None:
    with pytest.raises(qddot.QddotError, match=r'parameters is .*expected "symbols"'):
        qddot.loads(ROWS.replace('parameters = "symbols"', f"parameters = {value}"))
