"""One `tree` of a written expression, made of polynomials in `reading_order`, in the angles that read best (`reading`);
a module each for `text`, `latex`, `mathml`, `typst`, `symbolic` (SymPy), `python` and `matlab`, with a `language` for
trees (on one line, `typeset` on pages, or as `source_text` of programs) and its `writer` of statements; `writers` lists
them; `state_function` is ż = f(t, z) for readers, in `matlab_function` and `numpy_function`; `notation` says how names
are typeset.
"""
