"""Motion of arms over time: what is asked, the plant, the methods, torque laws, recordings."""

METHODS = ("rk4", "semi-implicit", "midpoint", "dop853", "radau")
