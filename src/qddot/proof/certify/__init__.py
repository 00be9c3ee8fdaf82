"""The equations of an arm or a closed chain as files that another program checks: `described` is the description in one
ring, `printed` the equations, `described_chain` the loops and wheels and what follows from them; `pari/` writes them
with a derivation by PARI/GP; `coq/` writes it and the printed terms as data for the `theory`, whose `Statement.v`, and
`ClosedStatement.v` for chains, have all definitions that a reader has to trust; the other files of the theory are
`Polynomials` (normal form, derivatives), `Mechanics` (Lagrange's equations from M, Γ and G), `Checker` (the
computation) and its proof, and the same for chains. `vectors/`: conformance vectors for other libraries: `values` at
exact `states` as balls, `converted` into other conventions, as proved `decimals`.
"""
