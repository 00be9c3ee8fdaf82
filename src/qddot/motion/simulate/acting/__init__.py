"""Defines what acts on an arm in motion: torques, external forces and payloads."""
