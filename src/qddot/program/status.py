"""The status of an arm that is stepped by any method, and the first columns of its row in a log."""

from __future__ import annotations

RUNNING, ENDED, BLOWN_UP, STUCK, GUARDED = range(5)  # the status; guard k stops an arm with GUARDED + k
STATUS, STEPS = range(2)  # the first columns of a log: the status, and how many steps were taken
