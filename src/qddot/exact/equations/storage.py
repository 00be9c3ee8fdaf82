"""Stores equations in a JSON file with the model's robot file and the exact terms, which are checked when read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring, Term
from qddot.base.errors import FormatError, QddotError, reason_of, shortened
from qddot.base.system import files, signature
from qddot.base.words.message import Listed, Message, Words, say
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.routes import GIVEN, ROUTES
from qddot.exact.equations.shortest_angles import in_joint_angles, with_fewest_terms
from qddot.formats.toml import loop_tables, robot_file
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import Dynamics
from qddot.physics.independent import Independents
from qddot.physics.systems import ClosedSystem, System
from qddot.robot.model import Model

FORMAT, FORMAT_OF_CHAINS = "qddot equations of motion", "qddot equations of a closed chain"
KINDS = {FORMAT: say("equations-of-motion"), FORMAT_OF_CHAINS: say("equations-of-closed-chain")}
LOADS = {FORMAT: "EquationsOfMotion", FORMAT_OF_CHAINS: "ClosedEquations"}  # the classes that read them
VERSION = 1
PARTS = ("M", "christoffel", "G")
CONFIGURATION = "configuration"
CHOICE = ("independent", "dependent", "conditions", "near", "held")
LARGEST_EXPONENT = 1_000
LARGEST_FILE = 1 << 30  # bytes; a million terms take 50 million
Loaded = TypeVar("Loaded")


def save(eq: Quantities, path: str | Path, overwrite: bool) -> None:
    """Writes M, Γ and G of the bodies with their model; all other quantities follow from them.

    raises FormatError: the file cannot be written, or may not be replaced
    """
    of = eq.derivation
    # the fingerprint is that of the model as it will be read, with DH rows converted to a tree
    mapping = robot_file.to_mapping(eq.model)
    system = robot_file.from_mapping(mapping, "model")
    facts = {"route": eq.route, "model": mapping}
    _write(path, overwrite, FORMAT, eq.ring, (of.M, of.christoffel, of.G), system, facts)


def save_chain(eq: ReducedEquations, near: Iterable[float] | None, path: str | Path, overwrite: bool) -> None:
    """Writes M, Γ and G of a closed chain with its model and choice; all other quantities follow from them.

    near: the configuration of the chain; raises FormatError: as for `save`
    """
    choice = {name: getattr(eq.choice, name) for name in CHOICE}
    guess = None if near is None else list(map(float, near))
    facts = {"model": loop_tables.dumps(eq.model), "choice": choice, CONFIGURATION: guess}
    parts = [eq.array(name).nested for name in PARTS]
    _write(path, overwrite, FORMAT_OF_CHAINS, eq.ring, parts, _closed_system(facts), facts)


def _write(
    path: str | Path,
    overwrite: bool,
    form: str,
    ring: Ring,
    parts: Sequence[Any],
    system: System,
    facts: Mapping[str, Any],
) -> None:
    """Writes equations of one form. parts: M, Γ and G; facts: what else is in the file"""
    terms = {name: _stored(ring, part) for name, part in zip(PARTS, parts, strict=True)}
    content = {
        "$comment": signature.of("save"),  # under any suffix, since the file is JSON
        "format": form,
        "version": VERSION,
        "hash": _fingerprint(system, {**facts, **terms}),
        **facts,
        "generators": list(ring.index),
        **terms,
    }
    try:
        files.save({Path(path): json.dumps(content, ensure_ascii=False)}, str(path), "save", overwrite, FormatError)
    except (TypeError, ValueError) as error:
        raise FormatError("place-unwritable", where=shortened(path), reason=_reason(error)) from None


def load(path: str | Path) -> tuple[Model, str, Ring, Derivation, Dynamics]:
    """Returns the model, its route, the ring, the derivation that `save` wrote, and the dynamics over the ring.

    raises FormatError: the file is of another kind, damaged or changed
    """
    return _loaded(path, FORMAT, _equations)


def load_chain(path: str | Path) -> tuple[ReducedEquations, list[float] | None]:
    """Returns the equations and the configuration that `save_chain` wrote. raises FormatError: as for `load`"""
    return _loaded(path, FORMAT_OF_CHAINS, _reduced_equations)


def _loaded(path: str | Path, form: str, equations: Callable[[Any], Loaded]) -> Loaded:
    """Returns the equations that a function makes of the content of a file of one form."""
    try:
        content = json.loads(files.read(Path(path), LARGEST_FILE))
    except (OSError, TypeError) as error:
        raise FormatError("file-unreadable", where=shortened(path), reason=_reason(error)) from None
    except (ValueError, RecursionError) as error:
        raise FormatError("not-json", where=str(path), problem=shortened(str(error))) from None
    try:
        _check_form(content, form)
        return equations(content)
    except QddotError as error:
        raise error.at(str(path)) from None
    except (KeyError, TypeError, ValueError, ZeroDivisionError, IndexError, AttributeError) as error:
        problem = shortened(repr(error))
        raise FormatError("file-not-sound", where=str(path), problem=problem, expected=_file_of(form)) from None


def _file_of(form: str) -> Message:
    return say("qddot-file-of", kind=KINDS[form])


def _reason(error: Exception) -> Words:
    """Returns the reason of an OSError without the name of the file, which the message already has."""
    return reason_of(error) if isinstance(error, OSError) else str(error)


def _check_form(content: Any, form: str) -> None:
    """Raises FormatError if a file has not equations of one form, or was written in another version of it."""
    found = content.get("format") if isinstance(content, dict) else None
    if found != form:
        if isinstance(found, str) and found in LOADS:
            remedy = say("load-reads-it", function=f"qddot.{LOADS[found]}.load")
            raise FormatError("file-of-kind", kind=KINDS[found], expected=_file_of(form), remedy=remedy)
        raise FormatError("not-file-of-equations", expected=_file_of(form))
    if content.get("version") != VERSION:
        raise FormatError("version-of-file", value=shortened(content.get("version")), expected=str(VERSION))


def _equations(content: Any) -> tuple[Model, str, Ring, Derivation, Dynamics]:
    model = robot_file.from_mapping(content["model"], "model")
    _check_unchanged(content, model)
    ring, dynamics, _ = with_fewest_terms(model, in_joint_angles(model))
    if content["route"] not in (*ROUTES, GIVEN):
        raise FormatError("route-of-file", content=shortened(content["route"]), expected=Listed(ROUTES))
    return model, content["route"], ring, Derivation(*_read_parts(content, ring, model.n)), dynamics


def _reduced_equations(content: Any) -> tuple[ReducedEquations, list[float] | None]:
    system, near = _closed_system(content), content[CONFIGURATION]
    _check_unchanged(content, system)
    eq = ReducedEquations(system.model, system.choice)
    eq.keep(dict(zip(PARTS, _read_parts(content, eq.ring, len(eq.independent)), strict=True)))
    return eq, None if near is None else list(map(float, near))


def _closed_system(content: Mapping[str, Any]) -> ClosedSystem:
    """Returns the chain with its choice of coordinates, as a file has them."""
    model, choice = loop_tables.loads(content["model"], "model"), content["choice"]
    independent, dependent, conditions, near, held = (choice[name] for name in CHOICE)
    held = None if held is None else tuple(held)
    return ClosedSystem(model, Independents(tuple(independent), tuple(dependent), tuple(conditions), near, held))


def _check_unchanged(content: Mapping[str, Any], system: System) -> None:
    if content["hash"] != _fingerprint(system, content):
        raise FormatError("file-changed-later")


def _read_parts(content: Mapping[str, Any], ring: Ring, n: int) -> tuple[Any, Any, Any]:
    """Returns M, Γ and G over a ring, along n rates."""
    if content["generators"] != list(ring.index):
        raise FormatError("terms-of-another-model")
    M, christoffel, G = (content[name] for name in PARTS)
    planes = _list([_matrix(ring, plane, n) for plane in christoffel], n)
    return _matrix(ring, M, n), planes, _list([_polynomial(ring, entry) for entry in G], n)


def _fingerprint(system: System, content: Mapping[str, Any]) -> str:
    kept = [content[name] for name in (*PARTS, CONFIGURATION) if name in content]
    return hashlib.sha256(json.dumps([system.hash, kept]).encode()).hexdigest()[:16]


def _stored(ring: Ring, nested: Any) -> Any:
    """Returns nested lists of terms: [coefficient, generator, exponent, generator, exponent …]."""
    if isinstance(nested, list):
        return [_stored(ring, part) for part in nested]
    return list(_stored_terms(ring.convert(nested)))


def _stored_terms(polynomial: Polynomial) -> Iterator[list[Any]]:
    for exponents, c in polynomial.terms():
        yield [str(c), *(part for k, e in enumerate(exponents) if e for part in (k, e))]


def _matrix(ring: Ring, rows: Any, n: int) -> Any:
    return _list([_list([_polynomial(ring, entry) for entry in row], n) for row in rows], n)


def _list(entries: list[Any], n: int) -> list[Any]:
    if len(entries) != n:
        raise FormatError("wrong-number-of-entries", count=len(entries), expected=str(n))
    return entries


def _polynomial(ring: Ring, terms: Any) -> Polynomial:
    return ring.from_terms(_term(len(ring.generators), term) for term in terms)


def _term(size: int, stored: Any) -> Term:
    exponents = [0] * size
    for k, e in zip(stored[1::2], stored[2::2], strict=True):
        if not 0 < e <= LARGEST_EXPONENT or not 0 <= k < size:
            raise ValueError(f"generator {k} to the power {e}")
        exponents[k] = e
    return tuple(exponents), Fraction(stored[0])
