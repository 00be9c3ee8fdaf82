"""Functions of robots as programs, programs as code, and calls of it with arrays."""
