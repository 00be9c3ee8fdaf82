"""Stores equations in a JSON file with the model's robot file and the exact terms, which are checked when read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring, Term
from qddot.base.errors import FormatError, QddotError, shortened
from qddot.base.system import files, signature
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.routes import GIVEN, ROUTES
from qddot.exact.equations.shortest_angles import in_joint_angles, with_fewest_terms
from qddot.formats.toml import robot_file
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import Dynamics
from qddot.robot.model import Model

FORMAT = "qddot equations of motion"
VERSION = 1
LARGEST_EXPONENT = 1_000
LARGEST_FILE = 1 << 30  # bytes; a million terms take 50 million


def save(eq: Quantities, path: str | Path, overwrite: bool) -> None:
    """Writes M, Γ and G of the bodies with their model; all other quantities follow from them.

    raises FormatError: the file cannot be written, or may not be replaced
    """
    derivation = eq.derivation
    parts = [_stored(eq.ring, nested) for nested in (derivation.M, derivation.christoffel, derivation.G)]
    # the fingerprint is that of the model as it will be read, with DH rows converted to a tree
    mapping = robot_file.to_mapping(eq.model)
    content = {
        "$comment": signature.of("save"),  # under any suffix, since the file is JSON
        "format": FORMAT,
        "version": VERSION,
        "route": eq.route,
        "hash": _fingerprint(robot_file.from_mapping(mapping, "model"), parts),
        "model": mapping,
        "generators": list(eq.ring.index),
        **dict(zip(("M", "christoffel", "G"), parts, strict=True)),
    }
    try:
        files.save({Path(path): json.dumps(content, ensure_ascii=False)}, str(path), "save", overwrite, FormatError)
    except (TypeError, ValueError) as error:
        raise FormatError(f"cannot be written: {_reason(error)}", where=shortened(path)) from None


def load(path: str | Path) -> tuple[Model, str, Ring, Derivation, Dynamics]:
    """Returns the model, its route, the ring, the derivation that `save` wrote, and the dynamics over the ring.

    raises FormatError: the file is of another kind, damaged or changed
    """
    try:
        content = json.loads(files.read(Path(path), LARGEST_FILE))
    except (OSError, TypeError) as error:
        raise FormatError(f"cannot be read: {_reason(error)}", where=shortened(path)) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"not JSON: {shortened(str(error))}", where=str(path)) from None
    try:
        return _equations(content)
    except QddotError as error:
        raise error.at(str(path)) from None
    except (KeyError, TypeError, ValueError, ZeroDivisionError, IndexError, AttributeError) as error:
        raise FormatError(f"damaged: {shortened(repr(error))}", where=str(path), expected=FORMAT) from None


def _reason(error: Exception) -> str:
    """Returns the reason of an OSError without the name of the file, which the message already has."""
    return str((error.strerror if isinstance(error, OSError) else None) or error)


def _equations(content: Any) -> tuple[Model, str, Ring, Derivation, Dynamics]:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise FormatError("not a file of equations", expected=FORMAT)
    if content.get("version") != VERSION:
        raise FormatError(f"version {shortened(content.get('version'))}", expected=str(VERSION))
    model = robot_file.from_mapping(content["model"], "model")
    parts = [content["M"], content["christoffel"], content["G"]]
    if content["hash"] != _fingerprint(model, parts):
        raise FormatError("the file was changed after it was written", remedy="derive and save again")
    ring, dynamics, _ = with_fewest_terms(model, in_joint_angles(model))
    if content["generators"] != list(ring.index) or content["route"] not in (*ROUTES, GIVEN):
        raise FormatError("the terms do not belong to the model", expected="an unchanged file")
    n = model.n
    derivation = Derivation(
        M=_matrix(ring, content["M"], n),
        christoffel=_list([_matrix(ring, plane, n) for plane in content["christoffel"]], n),
        G=_list([_polynomial(ring, entry) for entry in content["G"]], n),
    )
    return model, content["route"], ring, derivation, dynamics


def _fingerprint(model: Model, parts: Any) -> str:
    return hashlib.sha256(json.dumps([model.hash, parts]).encode()).hexdigest()[:16]


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
        raise FormatError(f"{len(entries)} entries", expected=str(n))
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
