"""The textbook form is what a person would write: sums of angles, short squares, named constants; proved equal."""

from qddot.forms import TEXTBOOK_FORMS as FORMS
from qddot.forms.textbook.textbook import Textbook

__all__ = ["FORMS", "Textbook"]
