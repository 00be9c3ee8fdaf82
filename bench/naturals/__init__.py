"""Motions from natural states, integrated by another hand than the project's."""
