"""The page's Python: `answers` has one function per question, with plain data in and out; `described` holds a robot
that is edited, `equation_terms` writes equations term by term; `server` serves the built folder on this machine.
"""
