"""Runs an arm many times with drawn values: plans, chunks of runs, stores, clusters, sensitivities."""
