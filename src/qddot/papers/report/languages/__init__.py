"""A language is one module with the sentences of reports, and a table in `closed_chains`; it is added here by its code."""

from qddot.papers.report.languages import chinese, english

LANGUAGES = {"en": english, "zh": chinese}
