"""Simulates motions of arms over time: torque laws, what acts, methods, runs."""
