"""Runs an arm many times, with values that are drawn: plans, chunks of runs, stores, clusters, sensitivities."""
