"""Proven bounds over a region: `exact_programs` of an arm's equations with exact constants, enclosed over many boxes at
once by `walk` in `forms` (linear, with a radius and an interval; `functions`: those of any operation), or as sums of
cosines (`fourier`, `fourier_walk`); for closed chains, the coordinates that follow are in `tubes` about a branch, whose
cells `cover` the region (`chain_walk`); the bound of each of the `quantities`, of matrices by `eigenvalues`, of
`torques` over poses and rates; `branch` and
bound; the `constants` of controllers in a `table`. `rounding`: the `running_error` of a program in a `precision`, which
knows that `turns` of vectors keep their lengths, also of those that `expansions` of sums show, takes `position_ranges`
of what divisors depend on, and the proven errors of its sines (`sincos`).
"""
