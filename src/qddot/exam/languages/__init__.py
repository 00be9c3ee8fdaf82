"""Each language is one module with the sentences of exams; exams also use those of reports."""

from qddot.exam.languages import chinese, english

SENTENCES = {"en": english.SENTENCES, "zh": chinese.SENTENCES}
