"""Defines the status of an arm in an integration, and the first columns of its row in a log."""

from __future__ import annotations

# values of the status; guard k stops an arm with GUARDED + k; an arm that has CROSSED goes on when its modes are renewed
RUNNING, ENDED, BLOWN_UP, STUCK, CROSSED, GUARDED = range(6)
STATUS, STEPS = range(2)  # the first columns of a log: the status and the number of steps
