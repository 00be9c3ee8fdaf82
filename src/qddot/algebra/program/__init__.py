"""Straight-line code: the program, the graph it is built in, passes, derivatives, recurrences, signals."""
