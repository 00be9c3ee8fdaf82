"""Names the exit codes that all commands share; `doctor`, `diff` and `check` have some of their own."""

DONE, FALSE, MISTAKE, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141  # the last two are 128 + the signal, as in shells
