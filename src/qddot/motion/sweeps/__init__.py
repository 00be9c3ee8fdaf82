"""Many runs: the drawn numbers (`distributions`, `designs`, `draws`, `drawn`); a user's `plan`, which `preparing`
turns, with its `drawn_forces`, into a `job` of programs and numbers without the user's code; `chunks` of runs, which
`running` computes on threads or a `cluster`; the `store` that keeps them; the `room` (memory and disk) that a sweep
needs; `measures`, which `accumulating` adds to an arm's recurrence; `quantiles` and `sensitivity` of the results.
"""
