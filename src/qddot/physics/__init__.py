"""The equations of motion of a robot over any kind of number, by independent routes.

A model in a kind of number (`mechanism.py`), and the contract `Dynamics` that the other rooms use: of links
(`of_links.py`) or of entries that are given (`of_entries.py`); `algorithms/`, one a file, over any number; `lagrange/`
the textbook routes, each an independent derivation; `frames/` the same arm in others: with inertia `regrouped` for the
fewest numbers, or, where joints are parallel, along the absolute angles of their links.
"""
