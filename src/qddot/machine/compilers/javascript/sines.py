"""Writes a JavaScript function for the sines and cosines of several angles, a third faster than Math.sin and Math.cos.

JavaScript rounds products, so that an angle is reduced by parts of π/2 whose products with small integers are exact.
Large angles, ∞ and NaN are left to Math.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from qddot.machine.compilers.polynomials import COS, LARGEST_SPLIT, SHIFT, SIN, SPLIT_HALF_PI


def _horner(coefficients: Sequence[float]) -> str:
    """Returns a polynomial in z; coefficients: from the highest power down"""
    text = repr(coefficients[0])
    for value in coefficients[1:]:
        text = f"({text}) * z + {value!r}"
    return text


def _reduced(parts: Sequence[float]) -> str:
    """Returns x − k π/2, where the largest part of π/2 is subtracted first."""
    text = "x"
    for part in parts:
        text = f"({text} - k * {part!r})"
    return text


SINCOS = f"""
function sincos(count) {{
  for (let i = 0; i < count; i++) {{
    const x = angles[i];
    if (!(x <= {LARGEST_SPLIT!r} && x >= {-LARGEST_SPLIT!r})) {{
      sines[i] = Math.sin(x);
      cosines[i] = Math.cos(x);
      continue;
    }}
    const k = x * {2 / math.pi!r} + {SHIFT!r} - {SHIFT!r};
    const r = {_reduced(SPLIT_HALF_PI)};
    const z = r * r;
    const s = r + r * z * ({_horner(SIN)});
    const c = 1 - 0.5 * z + z * z * ({_horner(COS)});
    sines[i] = k & 2 ? -(k & 1 ? c : s) : k & 1 ? c : s;
    cosines[i] = (k + 1) & 2 ? -(k & 1 ? s : c) : k & 1 ? s : c;
  }}
}}
""".strip("\n")
