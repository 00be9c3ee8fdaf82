"""Uniform bodies of simple shapes: their limits, the integrals over them, and the inertias that follow."""
