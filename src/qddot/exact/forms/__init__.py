"""Equations made short: `textbook/` (`rewriting/` into sums of angles and short squares, `writing/` with names for
constants and common factors taken out, `shares/` of the links in each term, `state_function` for readers),
`abbreviate/` (short models in numbers with proven bounds), `base/` (base parameters).
"""

TEXTBOOK_FORMS = ("sums", "multiple-angle")  # here, so that their names are known without an import of the forms
