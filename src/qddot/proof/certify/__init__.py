"""The equations of an arm as files that another program checks: `described` is the description in one ring, `printed`
the equations; `pari/` writes them with a derivation by PARI/GP; `coq/` writes it and the printed terms as data for the
`theory`, whose `Statement.v` has all definitions that a reader has to trust; the other files of the theory are
`Polynomials` (normal form, derivatives), `Mechanics` (Lagrange's equations from M, Γ and G), `Checker` (the
computation) and its proof. `vectors/`: conformance vectors for other libraries: `values` at exact `states` as balls,
`converted` into other conventions, as proved `decimals`.
"""
