"""Motion: what moves (`motion`), the checked request (`setup`), how it is computed and stored (`options`), the `plant`
in a graph, and four folders. `laws/`: a torque law (`law`), how it is tried and traced (`trial`), sampled (`sampling`),
ready ones (`ready`) and the functions to write them with. `acting/`: what acts: the contract of a `drive` and the
`drives` that keep it, external `forces`, `payloads`, and the update of the discrete state between steps (`renewal`).
`stepping/`: the facts of the `methods`, the loop of all of them (`solver`), `fixed_steps` by `schemes`, which are
recurrences, `integration` with adaptive steps for each arm (`taylor/` series, `runge_kutta` methods),
`scipys` solvers, bounds of the true motion (`enclosing`), events, calls of laws, steppers for users' own loops.
`runs/`: the results of a run as data: `samples`, the `recording`, `stops`, the `run_store` that long runs are streamed
to, the `ledger` of energy, `trust`; the methods for users are on `faces.run.Run`.
"""
