"""The kinds: `floats`, `nodes` of a graph, `modular` (residues), `balls`, `dual_balls` with derivatives, the
`rationals` that all share, and `polynomials/`: `variables` has the generators of a ring, `quantities` a model's
quantities as its elements, `exact` the ring and its normal form, `unreduced` polynomials in other forms, `evaluation`
gives a polynomial's value in any other kind.
"""
