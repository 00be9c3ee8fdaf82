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
from refusals import refusal

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
            ("none-of-these", "link 'a'", "type-of-joint", "'rotary'"),
        ),
        (joint(axis=[0, 0, 0]), ("joint-axis-no-direction", "link 'a'", "(0, 0, 0)")),
        (joint(axis=[1, 1, 0]), ("axis-not-unit-vector", "2")),
        (joint(axis=[0.7071, 0.7071, 0]), ("axis-not-unit-vector",)),
        (joint(axis="z"), ("not-list", "axis", "'z'")),
        (joint(axis=["L", 0, 0]), ("axis-length-unproved",)),
        (joint(limits=["1", "-1"]), ("limits-reversed",)),
        (joint(limits=3), ("not-list", "limits", "3")),
        (joint(damping=-1), ("effect-negative", "effect-friction", "-1")),
        (joint(colour="red"), ("unknown-key", "'colour'", "joint")),
        (joint(spring={"rest": 1}), ("spring-without-stiffness",)),
        (joint(rpy=[0, 0, 0], rotation=[[1, 0, 0], [0, 1, 0], [0, 0, 1]]), ("rotation-given-twice",)),
        (joint(rotation=[[1, 0, 0], [0, 1, 0], [0, 0, 2]]), ("rows-not-orthonormal",)),
        (joint(coordinate="m"), ("name-used-twice", "a-joint-coordinate", "a-symbol")),
        (joint(coordinate="not a name"), ("invalid-name", "a-joint-coordinate")),
        (link(joint={}), ("joint-without-type",)),
        (link(parent="b"), ("links-not-connected-base",)),
        (link(parent="nobody"), ("parent-not-exist", "'nobody'")),
        (link(name="b"), ("link-name-twice", "'b'")),
        (link(name="base"), ("link-named-ground", "'base'")),
        (link(mass="m*k"), ("symbols-undeclared", "k")),
        (link(mass=-1), ("mass-negative", "-1")),
        (link(mass=float("nan")), ("not-finite",)),
        (link(mass=float("inf")), ("not-finite",)),
        (link(mass="m/L"), ("divided-by-symbol",)),
        (link(mass="1/0"), ("divided-by-zero",)),
        (link(mass=[1]), ("not-number",)),
        (link(mass=True), ("not-number",)),
        (link(masss=1), ("unknown-key", "'mass'")),
        (link(inertia={"xx": 1}), ("inertia-about-missing",)),
        (link(inertia={"about": "centre"}), ("inertia-about-unknown",)),
        (link(inertia={"about": "com", "xx": 1, "yy": 1, "zz": 3}), ("impossible-inertia", "link 'a'")),
        (link(inertia={"about": "com", "xx": -1, "yy": 1, "zz": 1}), ("impossible-inertia",)),
        (link(inertia={"about": "com", "products": "minus"}), ("products-wrong", "'minus'")),
        (link(com=[0, 0, 0], first_moment=[0, 0, 0]), ("both-com-first-moment",)),
        (link(mass=0, first_moment=[1, 0, 0], inertia={"about": "origin"}), ("link-first-moment-no-mass",)),
        (link(com=[0, 0]), ("three-numbers",)),
        (link(partial_inertia="yes"), ("partial-inertia-wrong",)),
        (changed(link=[]), ("no-links",)),
        (changed(link=[3]), ("not-table",)),
        (changed(convention="denavit"), ("convention-wrong", "'denavit'", "dh, mdh, screws, body_screws, tree")),
        (changed(convention=None), ("convention-wrong", "is-missing")),
        (changed(gravity=[0, 0]), ("three-numbers", "gravity")),
        (changed(coordinates=["q1"]), ("coordinates-not-each-once",)),
        (changed(symbols={"m": "L", "L": 1}), ("symbol-not-number", "symbol 'm'")),
        (changed(symbols={"m": 1, "L": 1, "qd1": 1}), ("name-used-twice", "'qd1'", "q1", "a-symbol")),
        (changed(link={"name": "a"}), ("no-links", "link")),
        (changed(link=[{"name": f"l{k}"} for k in range(501)]), ("too-many-links", "501", "500")),
        (joint(type="fixed", damping=1), ("fixed-joint-moves",)),
        (joint(limits=[0, 1, 2]), ("limits-not-two",)),
        (link(mass=-1, partial_inertia=True), ("mass-negative", "-1")),
        ({**link(inertia={"about": "com", "xx": -1}), "symbols": {"m": None, "L": 1}}, ("impossible-inertia",)),
        (link(mass=0, first_moment=["L", 0, 0], inertia={"about": "origin"}), ("link-first-moment-no-mass",)),
        (changed(symbols={"m": {"val": 1}, "L": 1}), ("symbol-key-unknown", "'val'")),
        (changed(symbols={"m": 1, "L": 1, "sin": 2}), ("invalid-name", "'sin'")),
        (changed(extra=1), ("unknown-key", "'extra'")),
        (changed(tool={"body": "hand"}), ("no-body-name", "'hand'")),
        (changed(name=3), ("key-not-text", "name", "3")),
    ],
)
def test_a_broken_robot_is_refused(data: dict[str, Any], says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        robot_file.from_mapping(data, "broken")


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"theta": "q1", "d": 0, "a": 0}, ("row-lacks", "alpha")),
        ({"theta": "q1", "d": 0, "a": 0, "alpha": 0, "b": 0}, ("row-key-unknown", "'b'")),
        ({"theta": "q1", "d": "q2", "a": 0, "alpha": 0}, ("two-coordinates-in-row",)),
        ({"theta": "2*q1", "d": 0, "a": 0, "alpha": 0}, ("entry-not-coordinate", "q1")),
        ({"theta": "q1*q1", "d": 0, "a": 0, "alpha": 0}, ("entry-not-coordinate", "q1")),
        ({"theta": "q1 + x", "d": 0, "a": 0, "alpha": 0}, ("undeclared-names",)),
        ({"theta": "q1", "d": 0, "a": "q1", "alpha": 0}, ("coordinate-as-constant", "q1")),
        ({"theta": 0, "d": 0, "a": 0, "alpha": 0}, ("no-joint-moves",)),
        ([0, 0, 0, 0], ("row-not-mapping",)),
    ],
)
def test_a_broken_row_is_refused(row: Any, says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        qddot.from_dh([row])


def test_numbers_of_rows_and_links_must_agree() -> None:
    row = {"theta": "q1", "d": 0, "a": 0, "alpha": 0}
    with refusal(QddotError, "numbers-differ", "1", "rows", "2", "links"):
        qddot.from_dh([row], [{}, {}])
    with refusal(QddotError, "numbers-differ", "3", "M_home", "1", "S"):
        qddot.from_screws([[[1, 0, 0, 0]] * 4] * 3, [[0, 0, 1, 0, 0, 0]])
    with refusal(QddotError, "no-links"):
        qddot.from_dh([])


@pytest.mark.parametrize(
    ("screw", "says"),
    [
        ([0, 0, 1, 0, 0, 1], ("screw-with-pitch",)),
        ([0, 0, 2, 0, 0, 0], ("axis-not-unit-vector",)),
        ([0] * 6, ("joint-axis-no-direction",)),
        ([0, 0, 1], ("screw-not-six",)),
    ],
)
def test_a_broken_screw_is_refused(screw: list[int], says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
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
        ("2", 10**9, ("number-too-large", "4096")),
        ("a", 10**9, ("exponent-too-large", "1000000000", "100")),
        ("a + b + c", 99, ("expansion-too-long",)),
        ("a", -1, ("exponent-not-natural", "-1")),
        ("a", "2", ("exponent-not-natural", "'2'")),
    ],
)
def test_powers_that_nobody_needs_are_refused_before_they_are_taken(
    base: str, exponent: Any, says: tuple[str, ...]
) -> None:
    with refusal(ExpressionError, *says):
        expression(base) ** exponent
    assert expression("1") ** 10**9 == 1


def test_a_power_with_fewer_terms_than_factors_is_taken() -> None:
    long = expression("+".join(f"x**{k}" for k in range(8)))
    assert len((long**12).terms) == 85


@pytest.mark.parametrize("number", ["1e9999999999999999999", "-1e-9999999999999999999"])
def test_an_exponent_beyond_all_decimals_is_refused_in_its_place(number: str, tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(f'convention = "dh"\n[[link]]\ndh = {{theta = "q1", d = 0, a = 1, alpha = 0}}\nmass = {number}\n')
    with refusal(QddotError, "out-of-range", "link 'link1'"):
        qddot.load(path)
    with refusal(QddotError, "out-of-range"):
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
        "empty.toml": ("file-empty", "empty"),
        "binary.toml": ("binary-data", "binary"),
        "huge.toml": ("file-too-large", "ytes", "5000000"),
        "folder.toml": ("path-of-folder", "folder"),
        "absent.toml": ("file-missing",),
        "absent.urdf": ("file-missing",),
        "broken.toml": ("invalid-toml",),
    }.items():
        with refusal(QddotError, *says) as caught:
            qddot.load(tmp_path / name)
        assert name in str(caught.value)
    with refusal(QddotError, "no-robot", "'puma560'"):
        qddot.load("puma56")
