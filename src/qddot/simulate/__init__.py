"""Simulates motions of arms over time: setup, plant, methods, torque laws, recordings."""

METHODS = ("rk4", "semi-implicit", "midpoint", "dop853", "radau", "taylor")
SOLVERS = {"dop853": "DOP853", "radau": "Radau"}  # those of SciPy, by the names it has for them
