"""Exams on an arm or closed chain, which is `examined`: `variants` and `chain_variants` make one for each seed,
`questions` reads the questions, `states` and `chain_states` draw random states for numerical questions, `solving`
writes each solution, whose number of operations gives its marks, `exams` puts sheet and solution together as documents,
`moodle` writes a quiz; `languages/` have the sentences.
"""
