"""What a person may write: angles, expressions, their parser, names, and `identifiers` for them in programming
languages; points of the circle and exact roots, for every room.
"""
