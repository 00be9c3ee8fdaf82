"""Simulates motions of arms over time: setup, plant, methods, torque laws, recordings."""

METHODS = ("rk4", "semi-implicit", "midpoint", "dop853", "radau")
