"""A language is one module with the sentences of exams; those of reports serve exams, too."""

from qddot.exam.languages import chinese, english

SENTENCES = {"en": english.SENTENCES, "zh": chinese.SENTENCES}
