"""Each fact about a method of integration is in one record: what picks it up, and texts that say the same."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import run as command

import qddot
from qddot import laws
from qddot.base.errors import QddotError
from qddot.faces.closed_chain import ClosedChain
from qddot.faces.robot import Robot
from qddot.motion.enclosing import lohner
from qddot.motion.simulate.stepping.methods import ENCLOSURE, METHODS, Method
from qddot.motion.simulate.stepping.schemes import MOST_ITERATIONS, RungeKutta
from qddot.motion.sweeps.plan import Plan
from qddot.motion.sweeps.preparing import prepared

ROOT = Path(__file__).parents[3]
SOURCE, DOCS = ROOT / "src" / "qddot", ROOT / "docs"
HEUN = RungeKutta(nodes=(0, 1 / 3, 2 / 3), ahead=(1 / 3, 2 / 3, 0), weights=(1 / 4, 0, 3 / 4))
# the compilers' own table of kernels and their marks in the store, and the method whose words reports have
MAY_NAME_ONE = ("machine/compilers/llvm/", "faces/illustrations.py", "motion/simulate/stepping/methods.py")


@pytest.fixture
def heun(monkeypatch: pytest.MonkeyPatch) -> Method:
    """A method that only this test has: Heun's of third order."""
    own = Method("heun", 3, "little work to third order", lambda: HEUN)
    monkeypatch.setitem(METHODS, own.name, own)
    return own


def order_of(method: str) -> float:
    """By how many powers of two half the step is less off."""
    arm = qddot.load("one_link")
    right = arm.simulate([1.0], [0.2], 1.0, 1.0, "dop853").q[-1]
    off = [np.abs(arm.simulate([1.0], [0.2], 1.0, step, method).q[-1] - right).max() for step in (0.02, 0.01)]
    return float(np.log2(off[0] / off[1]))


def test_the_sentence_on_the_midpoint_rule_has_its_most_iterations() -> None:
    assert f"at most {MOST_ITERATIONS} iterations" in METHODS["midpoint"].about


def test_a_new_method_has_its_order(heun: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    assert order_of("heun") == pytest.approx(3, abs=0.25)
    monkeypatch.setitem(METHODS, "heun", replace(heun, scheme=lambda: replace(HEUN, weights=(1 / 3, 0, 2 / 3))))
    assert order_of("heun") < 2.75


def test_a_new_method_needs_a_record_alone(heun: Method) -> None:
    """Laws, the ledger, comparisons, sweeps and closed loops take it."""
    arm = qddot.load("one_link")
    run = arm.simulate([0.3], duration=0.1, step=0.001, method="heun", torque=lambda t, q, qd: -q)
    assert run.arrays.attrs["method"] == "heun"
    assert run.energy.check()
    assert run.trust().compared.method == "dop853"
    chain = qddot.load_closed_chain("four_bar")
    assert chain.simulate(chain.assemble([0.5] * chain.n).q, duration=0.05, step=0.01, method="heun").energy.check(1e-3)
    plan = Plan(
        qddot.Motion([0.1], duration=0.1, step=0.01, method="heun"), qddot.Draws(2), values={"m": qddot.uniform(1, 2)}
    )
    assert prepared(arm.model, plan).recurrence.repeats == len(HEUN.nodes)


REFUSALS: dict[str, Callable[[], Any]] = {
    "an unknown method": lambda: qddot.load("one_link").simulate([0.1], method="heum"),
    "of a sweep": lambda: Plan(qddot.Motion([0.1], method="heum")).check(),
    "closed loops": lambda: qddot.load_closed_chain("four_bar").simulate([0.5] * 3, method="midpoint"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_errors_list_a_new_method(case: str, heun: Method) -> None:
    with pytest.raises(QddotError, match=r"expected [^;]*\bheun\b"):
        REFUSALS[case]()


def test_the_command_takes_a_new_method(heun: Method, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = command(
        capsys, "simulate", "one_link", "--at=0.3", "--duration=0.1", "--step=0.01", "--json", "--method=heun"
    )
    assert (code, json.loads(out)["method"]) == (0, "heun")
    with pytest.raises(SystemExit):
        command(capsys, "simulate", "--help")
    text = " ".join(capsys.readouterr().out.split())
    assert re.search(r"--method \{[^}]*\bheun\b[^}]*\}", text)
    assert "for rk4, heun, the symplectic methods also their step" in text


def test_an_adaptive_one_has_its_tolerance_in_the_help(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(METHODS, "dopri5", replace(METHODS["dop853"], name="dopri5"))
    with pytest.raises(SystemExit):
        command(capsys, "simulate", "--help")
    text = " ".join(capsys.readouterr().out.split())
    assert "default 1e-14 for taylor; 1e-10 for dop853, dopri5, radau" in text


def test_no_module_but_the_registry_knows_a_method_by_its_name() -> None:
    known, wrong = {*METHODS, ENCLOSURE.name}, []
    quoted = re.compile(f"[\"']({'|'.join(known)})[\"']")
    for path in sorted(SOURCE.rglob("*.py")):
        place, text = path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")
        if quoted.search(text) and not place.startswith(MAY_NAME_ONE):
            nodes = ast.walk(ast.parse(text))
            wrong += [place for node in nodes if isinstance(node, ast.Constant) and node.value in known]
    assert wrong == []


def test_the_table_of_methods_has_the_records() -> None:
    text = (DOCS / "reference" / "simulation.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(?:\"([\w-]+)\"|arm\.enclose\(…\))` \| (.+?) \| (.+) \|$", text, re.MULTILINE)
    records = {**METHODS, "": ENCLOSURE}
    assert {name: (order, about) for name, order, about in rows} == {
        name: (str(each.order or "from the tolerance"), each.about) for name, each in records.items()
    }
    assert ENCLOSURE.order == lohner.ORDER


DOCSTRINGS = {
    "name": str(Robot.simulate.__doc__),
    "not in_momenta": str(ClosedChain.simulate.__doc__).partition("A closed chain has")[2],
    "scheme": str(qddot.Motion.__doc__),
    "adaptive": str(laws.made.__doc__),
}
SENTENCES = [
    ("reference/simulation.md", r"[^.|\n]* are adaptive", "adaptive"),
    ("reference/simulation.md", "and run by [^.]*, with sampled laws", "not in_momenta"),
    ("reference/simulation.md", r"methods on momenta \([^)]*\)", "in_momenta"),
    ("reference/simulation.md", r"[^.|\n]* end a step with each block", "adaptive"),
    ("reference/simulation.md", "Python only [^.]* can write to a store", "scheme"),
    ("reference/simulation.md", r"[^.|\n]* are compiled with the dynamics", "scheme"),
    ("reference/sweep.md", "`method`\n[^)]*", "scheme"),
    ("reference/torque-laws.md", r"[^.|\n]* repeat steps", "adaptive"),
    ("understand/laws.md", r"\n\| `rk4` [\s\S]*?\n\n", "name"),
]


def having(fact: str) -> set[str]:
    """The names of the methods with a fact, or without it after "not"."""
    *no, name = fact.split()
    return {each.name for each in METHODS.values() if bool(getattr(each, name)) is not bool(no)}


def named(text: str) -> set[str]:
    """The names of methods between quotes or backticks."""
    return {*re.findall(r"[\"`]([\w-]+)[\"`]", text)} & METHODS.keys()


@pytest.mark.parametrize("fact", DOCSTRINGS)
def test_docstrings_name_the_methods_that_have_a_fact(fact: str) -> None:
    assert named(DOCSTRINGS[fact]) == having(fact)


@pytest.mark.parametrize(("page", "sentence", "fact"), SENTENCES)
def test_pages_name_the_methods_that_have_a_fact(page: str, sentence: str, fact: str) -> None:
    (told,) = re.findall(sentence, (DOCS / page).read_text(encoding="utf-8"))
    assert named(told) == having(fact)


def test_advice_names_methods_that_there_are() -> None:
    """Pages with `method="…"`; the euler of one of them is the mistake whose error it shows."""
    texts = [path.read_text(encoding="utf-8") for path in (*DOCS.rglob("*.md"), ROOT / "README.md")]
    advised = {name for text in texts for name in re.findall(r"\bmethod=[\"']([\w-]+)[\"']", text)}
    assert {"rk4", "midpoint"} <= advised <= METHODS.keys() | {"euler"}
