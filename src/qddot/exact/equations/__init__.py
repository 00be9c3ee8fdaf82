"""The quantities of the equations in one table, `quantity_table`, of records (`quantity`), and the `routes` to them in
another; `quantities` computes them for trees, `closed/` for closed chains; `shortest_angles` chooses the angles in
which the equations are shortest, `centres` gives each link the centre of mass that one route needs; `arrays/`: exact
arrays, how arrays are `printed`, shown `in_notebooks`, substituted in; `proofs/`: the `laws` in a table, the `subject`
to which they apply, in normal form, in `absolute_rates` for long runs, at `unit_rates` or `modulo_primes` for long
arms, and the certificate; linearization, values in a state, storage.
"""
