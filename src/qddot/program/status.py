"""Defines the status of an arm in an integration, and the first columns of its row in a log."""

from __future__ import annotations

RUNNING, ENDED, BLOWN_UP, STUCK, GUARDED = range(5)  # values of the status; guard k stops an arm with GUARDED + k
STATUS, STEPS = range(2)  # the first columns of a log: the status and the number of steps
