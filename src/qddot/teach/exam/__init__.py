"""Exams on an arm: `variants` makes an arm for each seed, `questions` reads the questions, `states` draws random states
for numerical questions, `solving` writes each solution, whose number of operations gives its marks, `exams` puts sheet
and solution together as documents, `moodle` writes a quiz; `languages/` have the sentences.
"""
