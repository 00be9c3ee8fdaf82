"""Writes equations as a textbook does: with sums of angles, sin² or cos², and named constants, proved equal."""

from qddot.exact.forms import TEXTBOOK_FORMS as FORMS
from qddot.exact.forms.textbook.textbook import Textbook

__all__ = ["FORMS", "Textbook"]
