"""One `tree` of a written expression, made of polynomials in `reading_order`, in the angles that read best (`reading`);
a `language` each for `text`, `latex`, `mathml`, `typst`, `symbolic` (SymPy), `source_text` (Python, MATLAB); `notation`
and `quantity_names` say how names are typeset; `notebook_latex` shows the beginning of long objects.
"""
