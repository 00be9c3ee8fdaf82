"""Each language is one module with the sentences of exams; exams also use those of reports."""

from qddot.teach.exam.languages import chinese, english

SENTENCES = {"en": english.SENTENCES, "zh": chinese.SENTENCES}
