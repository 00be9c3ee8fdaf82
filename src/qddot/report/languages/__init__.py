"""A language is one module with the sentences of reports; a new one is added here by its code."""

from qddot.report.languages import chinese, english

LANGUAGES = {"en": english, "zh": chinese}
