"""Turns the functions of an arm into Programs: the dynamics are evaluated with nodes of a graph."""
