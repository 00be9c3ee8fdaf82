"""Straight-line code: its `operations` in one table, program, graph, passes, derivatives, recurrences, signals."""
