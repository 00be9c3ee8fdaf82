"""Equations as a person would write them: sums of angles, short squares, named constants; proved equal."""

from qddot.forms.textbook.form import FORMS, Textbook

__all__ = ["FORMS", "Textbook"]
