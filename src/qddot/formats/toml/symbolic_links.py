"""Gives the links of a robot file symbols for their inertial parameters, where `parameters = "symbols"` asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.base.errors import FormatError, shortened
from qddot.robot.symbol_tables import symbol_table

PARAMETERS, SYMBOLS = "parameters", "symbols"
GIVEN = ("mass", "com", "first_moment", "inertia", "partial_inertia")
MOMENTS, ENTRIES = ("mx", "my", "mz"), ("xx", "xy", "xz", "yy", "yz", "zz")


def filled(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the content of a file in which the links without mass or inertia have symbols, of which none has a value.

    Link k has the mass mk, the first moment mxk, myk, mzk and the inertia Ixxk … Izzk about its frame's origin. Symbols
    that the file declares keep their values.
    raises FormatError: the key has another value
    """
    given, links = data.get(PARAMETERS), data.get("link")
    if given is None:
        return data
    if given != SYMBOLS:
        raise FormatError("parameters-wrong", parameters=PARAMETERS, given=shortened(given), symbols=SYMBOLS)
    listed = list(links) if isinstance(links, list | tuple) else []
    free = {k for k, link in enumerate(listed, 1) if isinstance(link, Mapping) and not {*GIVEN} & {*link}}
    symbols = {name: entry for k in sorted(free) for name, entry in _symbols(k).items()}
    rows = [{**link, **_parameters(k)} if k in free else link for k, link in enumerate(listed, 1)]
    rest = {key: value for key, value in data.items() if key != PARAMETERS}
    return {**rest, SYMBOLS: {**symbols, **symbol_table(data.get(SYMBOLS, {}))}, **({"link": rows} if rows else {})}


def _symbols(k: int) -> dict[str, dict[str, str]]:
    """Returns the symbols of a link, with their units and meanings."""
    moments = {f"{name}{k}": {"unit": "kg m", "meaning": f"first moment of link {k}"} for name in MOMENTS}
    about = f"inertia of link {k} about the origin of its frame"
    inertia = {f"I{entry}{k}": {"unit": "kg m^2", "meaning": about} for entry in ENTRIES}
    return {f"m{k}": {"unit": "kg", "meaning": f"mass of link {k}"}, **moments, **inertia}


def _parameters(k: int) -> dict[str, Any]:
    """Returns the mass, first moment and inertia of a link, as a file gives them."""
    inertia = {entry: f"I{entry}{k}" for entry in ENTRIES}
    moment = [f"{name}{k}" for name in MOMENTS]
    return {"mass": f"m{k}", "first_moment": moment, "inertia": {"about": "origin", **inertia}}
