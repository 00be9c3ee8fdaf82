"""The judgement of a user's derivation: `reading/` takes expressions as people write them (Python, MATLAB, LaTeX,
Unicode) into the arm's exact ring, in steps of which each has a folder: `texts` without front matter, `dialects`
(programs, LaTeX, MathML) as plain formulas, `signs` (lexemes), `names` of the arm and their meanings, `grammar` (a tree
of `syntax`), `exact` values of trees, `statements` (equations, and what their names mean), `quantities` to which they
belong, `numbers` in a state; `judging/` proves entries equal, or finds a witness and the likeliest mistakes: `slips` in
terms, entries in other places (`array_search`), and mistakes planted in the model (`variants`); `grading`: the answers
of a class.
"""
