"""Any wrong input gives one error of ours that says where, what and the remedy."""

from __future__ import annotations

import itertools
import time
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import qddot
from qddot.algebra.expressions import expression as expressions
from qddot.algebra.expressions.parser import angle, expression
from qddot.base.errors import ExpressionError, QddotError, shortened
from qddot.formats.toml import robot_file
from qddot.inspect.doctor.described import diagnose_file

GOOD: dict[str, Any] = {
    "name": "arm",
    "convention": "tree",
    "symbols": {"m": 1.0, "L": 2.0},
    "link": [
        {
            "name": "a",
            "joint": {"type": "revolute"},
            "mass": "m",
            "inertia": {"about": "com", "xx": 1, "yy": 1, "zz": 1},
        },
        {"name": "b", "parent": "a", "joint": {"type": "revolute", "xyz": ["L", 0, 0]}, "mass": 1},
    ],
}


def changed(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def link(**changes: Any) -> dict[str, Any]:
    """The good robot with changes in its first link."""
    return changed(link=[{**GOOD["link"][0], **changes}, GOOD["link"][1]])


def joint(**changes: Any) -> dict[str, Any]:
    return link(joint={**GOOD["link"][0]["joint"], **changes})


def test_the_good_robot_is_good() -> None:
    assert qddot.Robot(robot_file.from_mapping(GOOD, "good")).prove()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            joint(type="rotary"),
            r"link 'a': joint type 'rotary'; expected revolute, continuous, prismatic, spherical, free",
        ),
        (joint(axis=[0, 0, 0]), r"link 'a': axis \(0, 0, 0\) has no direction"),
        (joint(axis=[1, 1, 0]), r"not a unit vector: its squared length is 2"),
        (joint(axis=[0.7071, 0.7071, 0]), r"not a unit vector"),
        (joint(axis="z"), r"axis is 'z'; expected a list"),
        (joint(axis=["L", 0, 0]), r"cannot be shown to be 1"),
        (joint(limits=["1", "-1"]), r"expected lower first"),
        (joint(limits=3), r"limits is 3; expected a list"),
        (joint(damping=-1), r"friction -1"),
        (joint(colour="red"), r"unknown key 'colour' in joint"),
        (joint(spring={"rest": 1}), r"no stiffness"),
        (joint(rpy=[0, 0, 0], rotation=[[1, 0, 0], [0, 1, 0], [0, 0, 1]]), r"both rpy and rotation"),
        (joint(rotation=[[1, 0, 0], [0, 1, 0], [0, 0, 2]]), r"not a rotation"),
        (joint(coordinate="m"), r"both a joint coordinate and a symbol"),
        (joint(coordinate="not a name"), r"not a valid name for a joint coordinate"),
        (link(joint={}), r"the joint has no type"),
        (link(parent="b"), r"form a cycle"),
        (link(parent="nobody"), r"parent 'nobody' does not exist"),
        (link(name="b"), r"two links are named 'b'"),
        (link(name="base"), r"a link is named 'base', which is the name of the ground; rename it"),
        (link(mass="m*k"), r"the symbol k is used but not declared.*declare it in"),
        (link(mass=-1), r"mass -1 is negative"),
        (link(mass=float("nan")), r"not finite"),
        (link(mass=float("inf")), r"not finite"),
        (link(mass="m/L"), r"division by a symbol"),
        (link(mass="1/0"), r"division by zero"),
        (link(mass=[1]), r"not a number"),
        (link(mass=True), r"not a number"),
        (link(masss=1), r"did you mean 'mass'"),
        (link(inertia={"xx": 1}), r"does not name its reference point.*com"),
        (link(inertia={"about": "centre"}), r"expected \"com\", \"origin\" or \"pseudo\""),
        (link(inertia={"about": "com", "xx": 1, "yy": 1, "zz": 3}), r"link 'a': no body has this inertia"),
        (link(inertia={"about": "com", "xx": -1, "yy": 1, "zz": 1}), r"no body has this inertia"),
        (link(inertia={"about": "com", "products": "minus"}), r"products 'minus'"),
        (link(com=[0, 0, 0], first_moment=[0, 0, 0]), r"both com and first_moment"),
        (link(mass=0, first_moment=[1, 0, 0], inertia={"about": "origin"}), r"a first moment but no mass"),
        (link(com=[0, 0]), r"expected three numbers"),
        (link(partial_inertia="yes"), r"true or false"),
        (changed(link=[]), r"no links"),
        (changed(link=[3]), r"expected a table"),
        (changed(convention="denavit"), r"convention is 'denavit'; expected dh, mdh, screws, body_screws, tree"),
        (changed(convention=None), r"convention is missing"),
        (changed(gravity=[0, 0]), r"gravity is.*expected three numbers"),
        (changed(coordinates=["q1"]), r"expected each joint's coordinate exactly once"),
        (changed(symbols={"m": "L", "L": 1}), r"symbol 'm'"),
        (changed(symbols={"m": 1, "L": 1, "qd1": 1}), r"'qd1' is both the rate of q1 and a symbol"),
        (changed(link={"name": "a"}), r"write \[\[link\]\], not \[link\]"),
        (changed(link=[{"name": f"l{k}"} for k in range(501)]), r"501 links; expected at most 500"),
        (joint(type="fixed", damping=1), r"a fixed joint has effects"),
        (joint(limits=[0, 1, 2]), r"expected \[lower, upper\]"),
        (link(mass=-1, partial_inertia=True), r"mass -1 is negative"),
        ({**link(inertia={"about": "com", "xx": -1}), "symbols": {"m": None, "L": 1}}, r"no body has this inertia"),
        (link(mass=0, first_moment=["L", 0, 0], inertia={"about": "origin"}), r"a first moment but no mass"),
        (changed(symbols={"m": {"val": 1}, "L": 1}), r"unknown key 'val'"),
        (changed(symbols={"m": 1, "L": 1, "sin": 2}), r"'sin' is not a valid name"),
        (changed(extra=1), r"unknown key 'extra'"),
        (changed(tool={"body": "hand"}), r"no body 'hand'"),
        (changed(name=3), r"name is 3"),
    ],
)
def test_a_broken_robot_is_refused(data: dict[str, Any], says: str) -> None:
    with pytest.raises(QddotError, match=says):
        robot_file.from_mapping(data, "broken")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"theta": "q1", "d": 0, "a": 0}, "lacks alpha"),
        ({"theta": "q1", "d": 0, "a": 0, "alpha": 0, "b": 0}, "unknown key 'b'"),
        ({"theta": "q1", "d": "q2", "a": 0, "alpha": 0}, "both theta and d contain a coordinate"),
        ({"theta": "2*q1", "d": 0, "a": 0, "alpha": 0}, "±q1 plus a constant"),
        ({"theta": "q1*q1", "d": 0, "a": 0, "alpha": 0}, "±q1 plus a constant"),
        ({"theta": "q1 + x", "d": 0, "a": 0, "alpha": 0}, "at most one joint coordinate"),
        ({"theta": "q1", "d": 0, "a": "q1", "alpha": 0}, "the coordinate q1 is used as a constant"),
        ({"theta": 0, "d": 0, "a": 0, "alpha": 0}, "no joint moves"),
        ([0, 0, 0, 0], "expected a mapping"),
    ],
)
def test_a_broken_row_is_refused(row: Any, says: str) -> None:
    with pytest.raises(QddotError, match=says):
        qddot.from_dh([row])


def test_numbers_of_rows_and_links_must_agree() -> None:
    row = {"theta": "q1", "d": 0, "a": 0, "alpha": 0}
    with pytest.raises(QddotError, match="1 rows and 2 links"):
        qddot.from_dh([row], [{}, {}])
    with pytest.raises(QddotError, match="3 M_home and 1 S"):
        qddot.from_screws([[[1, 0, 0, 0]] * 4] * 3, [[0, 0, 1, 0, 0, 0]])
    with pytest.raises(QddotError, match="no links"):
        qddot.from_dh([])


@pytest.mark.parametrize(
    ("screw", "says"),
    [
        ([0, 0, 1, 0, 0, 1], "pitch"),
        ([0, 0, 2, 0, 0, 0], "unit"),
        ([0] * 6, "no direction"),
        ([0, 0, 1], "six numbers"),
    ],
)
def test_a_broken_screw_is_refused(screw: list[int], says: str) -> None:
    with pytest.raises(QddotError, match=says):
        qddot.from_screws([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]], [screw])


HOSTILE = [
    "9**9**9**9",
    "((((9**12)**12)**12)**12)",
    "((((x**12)**12)**12)**12)",
    "(a+b+c+d+e)**12*(f+g+h+i)**12",
    "((cos(a)+sin(b)+cos(L))**12)**12",
    "(a+b+c+d+e+f)**8" + "*1" * 900,
    "(a+b+c+d+e+f)**8" + "*a*b*c*d*e*f" * 9,
    "(a+b+c+d+e+f)**8" + "/1" * 900,
    "((1 + a)**12" + "*(1 + a)**12" * 100,
    "__import__('os')",
    "().__class__",
    "lambda: 0",
    "a if b else c",
    "1e999999999",
    "1e-999999999",
    "1e9999999999999999999",
    "1e-9999999999999999999",
    "0." + "1" * 1_000_000,
    "9" * 3000,
    "(" * 5_000_000 + ")" * 5_000_000,
    "-" * 1999,
    "(" * 900,
    "((1)",
    "1 +",
    "",
    "   ",
    "2 x",
    "a..b",
    "1//2",
    "sqrt(2)*sqrt(x)",
    "sqrt(-1)",
    "sin(x*y)",
    "\x00",
    "√x",
    "f(x)",
    "a[0]",
    "a=b",
    "a;b",
    "0x10",
    "1_000",
    "deg",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:24]))
def test_hostile_expressions_end_soon_in_an_error_or_a_symbol(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = itertools.count()
    multiply = expressions._product
    monkeypatch.setattr(expressions, "_product", lambda a, b: (next(counted), multiply(a, b))[1])
    started = time.process_time()
    try:
        formula = expression(text)
    except QddotError as error:
        assert len(str(error)) < 400
    else:
        assert text in ("-" * 1999, "deg"), formula
    assert time.process_time() - started < 5
    assert next(counted) < 2 * expressions.MOST_PRODUCTS


@pytest.mark.parametrize(
    "number", [Decimal("0." + "1" * 100_000), 10**5_000, Fraction(1, 10**5_000), 10**120, 1e-120], ids="abcde"
)
def test_numbers_without_measure_are_refused(number: Any) -> None:
    for read in (expression, angle):
        with pytest.raises(ExpressionError, match=r"more than 4096 bits|out of range|characters"):
            read(number)


@pytest.mark.parametrize(
    ("base", "exponent", "says"),
    [
        ("2", 10**9, "a number has more than 4096 bits; expected at most about 1,200 digits; write it with fewer"),
        ("a", 10**9, "the exponent 1000000000; expected at most 100; name the power as a symbol"),
        ("a + b + c", 99, "terms"),
        ("a", -1, "exponent -1"),
        ("a", "2", "exponent '2'"),
    ],
)
def test_powers_that_nobody_needs_are_refused_before_they_are_taken(base: str, exponent: Any, says: str) -> None:
    with pytest.raises(ExpressionError, match=says):
        expression(base) ** exponent
    assert expression("1") ** 10**9 == 1


def test_a_power_with_fewer_terms_than_factors_is_taken() -> None:
    long = expression("+".join(f"x**{k}" for k in range(8)))
    assert len((long**12).terms) == 85


@pytest.mark.parametrize("number", ["1e9999999999999999999", "-1e-9999999999999999999"])
def test_an_exponent_beyond_all_decimals_is_refused_in_its_place(number: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(f'convention = "dh"\n[[link]]\ndh = {{theta = "q1", d = 0, a = 1, alpha = 0}}\nmass = {number}\n')
    with pytest.raises(QddotError, match=r"link 'link1'.*out of range"):
        qddot.load(path)
    with pytest.raises(QddotError, match="out of range"):
        diagnose_file(str(path))


@pytest.mark.parametrize("what", [10**5_000, [[]]], ids=["integer", "list"])
def test_an_error_shows_whatever_it_meets(what: Any) -> None:
    for _ in range(100_000 if isinstance(what, list) else 0):
        what = [what]
    assert "cannot be shown" in shortened(what)
    with pytest.raises(ExpressionError):
        expression(what)


@given(st.text(alphabet="ab1290.+-*/^() deg,sincoqrtpi\n", max_size=60))
@settings(max_examples=400)
@example("1e5deg")
@example("a**2**3")
def test_garbage_is_an_expression_or_our_error(text: str) -> None:
    for read in (expression, angle):  # what the first refuses, the second reads all the same
        with suppress(QddotError):
            read(text)


PIECES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**30), 10**30),
        st.floats(),
        st.text(max_size=8),
        st.sampled_from(["q1", "m", "L", "90deg", "base", "a", "revolute", "com", "1/3", [0, 0, 1], "-g"]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)
PLACES = [
    *[("link", 0, key) for key in ("name", "mass", "com", "first_moment", "inertia", "joint", "parent", "frame", "dh")],
    *[
        ("link", 0, "joint", key)
        for key in ("type", "axis", "xyz", "rpy", "rotation", "limits", "damping", "spring", "coordinate")
    ],
    *[("link", 0, "inertia", key) for key in ("about", "xx", "xy", "zz", "products")],
    *[(key,) for key in ("name", "title", "convention", "gravity", "symbols", "coordinates", "tool", "link")],
    ("symbols", "m"),
]


def _with(data: Any, place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    if isinstance(data, list):
        return [_with(entry, place[1:], value) if k == place[0] else entry for k, entry in enumerate(data)]
    return {**data, place[0]: _with(data.get(place[0], {}), place[1:], value)}


@given(st.sampled_from(PLACES), PIECES)
@settings(max_examples=300)
def test_a_robot_with_garbage_anywhere_is_a_robot_or_our_error(place: tuple[Any, ...], value: Any) -> None:
    try:
        model = robot_file.from_mapping(_with(GOOD, place, value), "fuzzed")
    except QddotError as error:
        assert str(error).startswith("fuzzed")
        return
    qddot.Robot(model).equations()


@given(st.text(max_size=300))
@settings(max_examples=200)
@example("link = [[]]")
@example("a = " + "[" * 3000)
@example("x = 1e999999999")
@example("x = nan")
def test_any_text_is_a_robot_file_or_our_error(text: str) -> None:
    with pytest.raises(QddotError, match=r"^text\.toml"):
        robot_file.loads(text, "text.toml")


def test_paths_that_are_no_robot_files(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)))
    (tmp_path / "huge.toml").write_bytes(b"#" * 5_000_000)
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "broken.toml").write_text("name = \n")
    for name, says in {
        "empty.toml": "the file is empty",
        "binary.toml": "binary data",
        "huge.toml": "5000000 bytes",
        "folder.toml": "a folder",
        "absent.toml": "does not exist",
        "absent.urdf": "does not exist",
        "broken.toml": "invalid TOML.*line 1",
    }.items():
        with pytest.raises(QddotError, match=says) as caught:
            qddot.load(tmp_path / name)
        assert name in str(caught.value)
    with pytest.raises(QddotError, match="did you mean 'puma560'"):
        qddot.load("puma56")
