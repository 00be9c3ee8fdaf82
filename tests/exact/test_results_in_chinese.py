"""Results about equations are told in Chinese: in texts and in notebooks no word is English but names."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import qddot
from qddot.base.words.language import speaking
from qddot.exact.equations.proofs.certificate import Certificate
from qddot.exact.equations.proofs.modulo_primes import verify
from qddot.exact.equations.proofs.prove import prove
from qddot.exact.equations.quantities import Quantities
from qddot.exact.forms.abbreviate.definite import Definiteness

# quantities, functions, units, formats, attributes, and names of robots and their links
OTHERS = """arm cos sin det rad friction springs damping stiffness holding input text table latex print short errors tau
base qdd formulas composite newton euler com jacobian screw energy phi psi theta christoffel inverse dynamics budget
body ijk ikj significance two link four bar five spherical furuta pendulum rolling disc Ixx Ixy Ixz Iyy Iyz Izz Phi
inertia pseudo tool links forces program add sub mul deg robot"""
NAMES = frozenset(OTHERS.split())
ROD = {"mass": 1, "com": [-0.5, 0, 0], "inertia": {"about": "com", "yy": 0.1, "zz": 0.1}, "joint": {"damping": 1}}


def arm() -> Any:
    """An arm with a twist of 20°, whose cosine is no rational number, and with friction."""
    twists = {"q1": "20deg", "q2": 0}
    return qddot.from_dh([{"theta": q, "d": 0, "a": 1, "alpha": twist} for q, twist in twists.items()], [ROD, ROD])


def wrong() -> Certificate:
    """The certificate of equations with a wrong sign, which has witnesses."""
    eq = Quantities(qddot.load("two_link").model)
    eq.derivation.G[0] = -eq.derivation.G[0]
    return prove(eq, routes=["screw"])


RESULTS: dict[str, Callable[[], Any]] = {
    "proved": lambda: qddot.load("two_link").prove(),
    "false": wrong,
    "modulo primes": lambda: verify(qddot.load("two_link").model, ["screw"], seed=1),
    "quasi-velocities proved": lambda: qddot.load("spherical_pendulum").prove(),
    "energies proved": lambda: qddot.load("furuta_pendulum").prove(),
    "absolute angles": lambda: replace(qddot.load("two_link").prove(), angles=("q1 + q2",)),
    "four-bar proved": lambda: qddot.load_closed_chain("four_bar").prove(),
    "disc proved": lambda: qddot.load_closed_chain("rolling_disc").prove(),
    "relations proved": lambda: arm().prove(),
    "base parameters": lambda: arm().base_parameters(armature=True, friction=True),
    "base parameters of a chain": lambda: qddot.load_closed_chain("four_bar").base_parameters(),
    "short": lambda: arm().equations().abbreviate(significance={"M": 0.3, "B": 0.9, "C2": 0.1, "G": 0.2}),
    "short chain": lambda: qddot.load_closed_chain("four_bar").equations().abbreviate(),
    "indefinite": lambda: Definiteness("refuted", {"q1": 1.0}, -1.0, on_diagonal=True),
    "textbook": lambda: qddot.load("two_link").equations().textbook(),
    "shares": lambda: arm().equations().textbook().shares("tau"),
    "in one state": lambda: qddot.load("two_link").equations().at([0.1, 0.2], [1, 1], [0, 0]),
    "program": lambda: qddot.load("two_link").program("inverse_dynamics"),
    "long": lambda: qddot.load("puma560").equations().christoffel,
    "steps": lambda: qddot.load("two_link").equations().steps,
    "linear": lambda: qddot.load("two_link").equations().linearize(["q1", "q2"]),
    "linear chain": lambda: qddot.load_closed_chain("four_bar").equations().linearize(),
}
MARKUP = re.compile(r"<[^>]*>|\\[a-zA-Z]+|\{(aligned|array|matrix|bmatrix)\}")
NOTEBOOKS = ("_repr_html_", "_repr_latex_", "_repr_markdown_")


def texts(result: Any) -> Iterator[str]:
    """What a result shows when it is printed, and in a notebook, without tags and commands of LaTeX."""
    if type(result).__str__ is not object.__str__:
        yield str(result)
    for name in NOTEBOOKS:
        if hasattr(result, name):
            yield html.unescape(MARKUP.sub(" ", getattr(result, name)() or ""))


@pytest.mark.parametrize("name", RESULTS)
def test_no_english_word_but_names_is_said(name: str) -> None:
    with speaking("zh"):
        said = [*texts(RESULTS[name]())]
    found = {word for text in said for word in re.findall(r"[A-Za-z]{3,}", text)}
    assert found - NAMES == set(), said


def test_a_certificate_is_english_where_programs_read_it() -> None:
    with speaking("zh"):
        certificate = wrong()
        assert not re.search("[\u4e00-\u9fff]", certificate.to_json() + repr(certificate))
