"""Lists units that are mistaken for each other, with the factor of the error."""

from __future__ import annotations

UNITS: dict[str, dict[float, str]] = {  # the factors on the wrong numbers, and the units that were exchanged
    "mass": {1e3: "g for kg", 1e-3: "kg for g", 1 / 0.45359237: "lb for kg", 0.45359237: "kg for lb"},
    "length": {1e3: "mm for m", 1e-3: "m for mm", 100: "cm for m", 0.01: "m for cm", 1 / 0.0254: "in for m"},
    "tensor": {
        1e3: "g·m² for kg·m²",
        1e4: "kg·cm² for kg·m²",
        1e6: "kg·mm² for kg·m²",
        1e7: "g·cm² for kg·m²",
        1e9: "g·mm² for kg·m²",
        1e-3: "kg·m² for g·m²",
        1e-6: "kg·m² for kg·mm²",
        1e-9: "kg·m² for g·mm²",
        10: "",
        0.1: "",
    },
}
SAME_FACTOR = 1e-3


def known_unit(factor: float, kind: str) -> tuple[float, str] | None:
    """Returns the exact factor and its words, or None if no change of units has this factor."""
    units = [(size, words) for size, words in UNITS[kind].items() if abs(factor / size - 1) < SAME_FACTOR]
    return units[0] if units else None
