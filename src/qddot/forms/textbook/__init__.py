"""The equations as a person would write them: sums of angles, short squares, constants with names; proved equal."""

from qddot.forms.textbook.form import FORMS, Textbook

__all__ = ["FORMS", "Textbook"]
