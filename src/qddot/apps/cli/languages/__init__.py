"""A language of commands is one module with their sentences, which is added here by its code."""

from qddot.apps.cli.languages import chinese, english

LANGUAGES = {"en": english, "zh": chinese}
