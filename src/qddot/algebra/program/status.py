"""Defines the status of an arm in an integration, and the first columns of its row in a log."""

from __future__ import annotations

# guard k stops an arm with GUARDED + k; one that has CROSSED switches goes on with modes that are renewed
RUNNING, ENDED, BLOWN_UP, STUCK, CROSSED, GUARDED = range(6)
STATUS, STEPS = range(2)  # the first columns of a log: the status and the number of steps
