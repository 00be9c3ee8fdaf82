"""What the library says in English, with its Chinese: single `terms`, and sentences about edited robots, findings,
`judgements` of answers, `models` and `results`; `translating` finds the one that a text is.
"""
