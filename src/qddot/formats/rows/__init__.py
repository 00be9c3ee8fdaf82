"""Denavit–Hartenberg rows, standard and modified, and screws: into joints and back."""
