"""Motion of robots: simulated, enclosed, and swept over many runs."""
