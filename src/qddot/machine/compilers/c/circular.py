"""Writes a C function for the sines and cosines of several angles, which compilers vectorise.

Its loop has no branch, since the quadrant is read from the bits of a sum. Large angles, ∞ and NaN are computed by the C
library in a separate loop. Where the compiler may regroup sums or compute them with more bits, the bits would be wrong;
there the library computes all angles, as it does for floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from qddot.machine.compilers.polynomials import COS, HALF_PI, LARGEST, LARGEST_SPLIT, SHIFT, SIN, SPLIT_HALF_PI

LIBRARY = """
    for (size_t i = 0; i < count; i++) {{
        sines[i] = sin{end}(angles[i]);
        cosines[i] = cos{end}(angles[i]);
    }}
}}
"""
LOOSE = """
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(_M_FP_FAST)
#define QDDOT_LOOSE
#elif defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2 || FLT_EVAL_METHOD > 64)
#define QDDOT_LOOSE
#endif
"""
REDUCTION = """
/* An angle is reduced by the nearest multiple of pi/2, k pi/2; k is in the low bits of a sum. The polynomials are those
 * of fdlibm's kernels (Sun Microsystems, 1993). */
#if defined(FP_FAST_FMA) || defined(__FMA__) || defined(__aarch64__)
#define QDDOT_FMA(a, b, c) fma(a, b, c)
#define QDDOT_LARGEST {largest}
#define QDDOT_REDUCED(x, k) {reduced}
#else
#define QDDOT_FMA(a, b, c) ((a) * (b) + (c))
#define QDDOT_LARGEST {largest_split}
#define QDDOT_REDUCED(x, k) {reduced_split}
#endif
"""
NEAR = """
    const double largest = QDDOT_LARGEST;
    uint64_t bound, far = 0;
    memcpy(&bound, &largest, sizeof bound);
    for (size_t i = 0; i < count; i++) {{
        const double sum = QDDOT_FMA(angles[i], {turns}, {shift});
        const double k = sum - {shift};
        const double r = QDDOT_REDUCED(angles[i], k);
        const double z = r * r;
{sin}
        s = QDDOT_FMA(s, z * r, r);
{cos}
        c = QDDOT_FMA(z * z, c, QDDOT_FMA(z, -0.5, 1.0));
        uint64_t angle, quadrant, sine, cosine;
        memcpy(&angle, &angles[i], sizeof angle);
        memcpy(&quadrant, &sum, sizeof quadrant);
        const double s_or_c = quadrant & 1 ? c : s, c_or_s = quadrant & 1 ? s : c;
        memcpy(&sine, &s_or_c, sizeof sine);
        memcpy(&cosine, &c_or_s, sizeof cosine);
        sine ^= (quadrant & 2) << 62;
        cosine ^= ((quadrant + 1) & 2) << 62;
        memcpy(&sines[i], &sine, sizeof sine);
        memcpy(&cosines[i], &cosine, sizeof cosine);
        far |= bound - (angle & INT64_MAX); /* its top bit is set if the angle is larger */
    }}
    if (far >> 63)
        for (size_t i = 0; i < count; i++)
            if (!(fabs(angles[i]) <= largest)) {{
                sines[i] = sin(angles[i]);
                cosines[i] = cos(angles[i]);
            }}
}}
"""


def sincos(name: str, real: str) -> Iterator[str]:
    """Yields the function `name(count, angles, sines, cosines)`."""
    head = (
        f"QDDOT_INLINE void {name}(size_t count, const {real} *QDDOT_RESTRICT angles, "
        f"{real} *QDDOT_RESTRICT sines, {real} *QDDOT_RESTRICT cosines) {{"
    )
    if real == "float":
        yield head + LIBRARY.format(end="f")
        return
    yield LOOSE.strip()
    yield f"#ifdef QDDOT_LOOSE\n{head}{LIBRARY.format(end='')}#else"
    yield REDUCTION.strip().format(
        largest=LARGEST,
        reduced=_reduced(HALF_PI),
        largest_split=LARGEST_SPLIT,
        reduced_split=_reduced(SPLIT_HALF_PI),
    )
    text = NEAR.format(turns=2 / math.pi, shift=SHIFT, sin=_horner("s", SIN), cos=_horner("c", COS))
    yield f"{head}{text}#endif\n"


def _reduced(parts: Sequence[float]) -> str:
    """Returns x − k π/2, where the largest part of π/2 is subtracted first."""
    expression = "x"
    for part in parts:
        expression = f"QDDOT_FMA(k, {-part!r}, {expression})"
    return expression


def _horner(variable: str, coefficients: Sequence[float]) -> str:
    lines = [f"        double {variable} = {coefficients[0]!r};"]
    lines += [f"        {variable} = QDDOT_FMA({variable}, z, {value!r});" for value in coefficients[1:]]
    return "\n".join(lines)
