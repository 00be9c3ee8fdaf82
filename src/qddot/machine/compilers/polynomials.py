"""Defines the constants with which sines, cosines and exponentials are computed, in machine code and exported code.

An angle is reduced by a multiple of π/2; the nearest integer multiple is in the low bits of a sum. The polynomials in
double precision are those of fdlibm's kernels (Sun Microsystems, 1993), accurate to well under an ulp on ±π/4; those in
single precision are from Cephes (Moshier, 1992).

For the exponential, x = n log 2 + r, and e^r = 1 + r + r² p(r) with the polynomial p that equals (e^r − 1 − r)/r² at
Chebyshev's points of ±½ log 2.
"""

from __future__ import annotations

from typing import NamedTuple

HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)  # for fused multiply-add
LARGEST = 1e9  # the angle up to which those three parts keep every bit
# 33 bits each except the last, so that products with integers of 20 bits are exact without fused multiply-add
SPLIT_HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32)
LARGEST_SPLIT = 1e6
SHIFT = 6755399441055744.0  # 1.5 · 2^52: adding it leaves the nearest integer in the low bits
SIN = (
    1.58969099521155010221e-10,
    -2.50507602534068634195e-08,
    2.75573137070700676789e-06,
    -1.98412698298579493134e-04,
    8.33333333332248946124e-03,
    -1.66666666666666324348e-01,
)
COS = (
    -1.13596475577881948265e-11,
    2.08757232129817482790e-09,
    -2.75573143513906633035e-07,
    2.48015872894767294178e-05,
    -1.38888888888741095749e-03,
    4.16666666666666019037e-02,
)


class Circular(NamedTuple):
    """These are the constants for one precision: π/2 in three parts, the largest angle, the shift, the polynomials."""

    half_pi: tuple[float, float, float]
    largest: float
    shift: float
    sin: tuple[float, ...]
    cos: tuple[float, ...]


DOUBLE = Circular(HALF_PI, LARGEST, SHIFT, SIN, COS)
SINGLE = Circular(
    # each is the float that is nearest to the remainder of π/2
    (1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15),
    1e5,
    12582912.0,  # 1.5 · 2^23
    (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1),
    (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2),
)


class Exponential(NamedTuple):
    """These are the constants for one precision: log 2 in two parts, the shift, p, the least and the largest argument.

    least: the logarithm of the least normal number, below which the exponential is zero
    significand: the bits of a number below its exponent; bias: that of its exponent
    """

    log_2: tuple[float, float]
    shift: float
    p: tuple[float, ...]
    least: float
    largest: float
    significand: int
    bias: int


EXP_DOUBLE = Exponential(
    (0.6931471805599453, 2.3190468138462996e-17),
    SHIFT,
    (
        2.510038549551032e-08,
        2.7620088445409746e-07,
        2.7557268459997064e-06,
        2.4801521295954376e-05,
        1.9841269863053618e-04,
        1.3888888917213717e-03,
        8.333333333330062e-03,
        4.166666666662413e-02,
        1.6666666666666669e-01,
        0.5,
    ),
    -708.3964185322641,
    710.0,
    52,
    1023,
)
EXP_SINGLE = Exponential(
    (0.6931471824645996, -1.9046542121259336e-09),
    12582912.0,
    (1.3926184037700295e-03, 8.363178931176662e-03, 4.1666556149721146e-02, 1.6666576266288757e-01, 0.5),
    -87.33654022216797,
    89.0,
    23,
    127,
)
