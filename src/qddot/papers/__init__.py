"""Pictures, films and documents of a robot and its derivation.

`overview`: a model in tables of texts.
"""
