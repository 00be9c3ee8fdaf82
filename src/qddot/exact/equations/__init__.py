"""The `quantities` of the equations in one table, and the `routes` to them in another; the `dependent_quantities`,
which are computed from others, with entries of any kind; `shortest_angles` chooses the angles in which the equations
are shortest, `centres` gives each link the centre of mass that one route needs; `arrays/`: exact arrays, how arrays are
`printed`, shown `in_notebooks`, substituted in; `proofs/`: the `laws` in a table, the `subject` to which they apply, in
normal form, in `absolute_rates` for long runs or `modulo_primes` for long arms, and the certificate; linearization,
values in a state, storage.
"""
