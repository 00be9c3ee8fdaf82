"""Each language is one module with the sentences of exams; exams also use those of reports."""

from qddot.teach.exam.languages import chinese, english

SENTENCES = {"en": english.SENTENCES, "zh": chinese.SENTENCES}
OF_CHAINS = {"en": english.OF_CHAINS, "zh": chinese.OF_CHAINS}  # in place of those, or in addition to them
SENTENCES_OF_CHAINS = {lang: SENTENCES[lang] | OF_CHAINS[lang] for lang in SENTENCES}
