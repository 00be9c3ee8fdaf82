"""Integrates motions by their Taylor series: each arm takes its own steps, as long as the series allows."""
