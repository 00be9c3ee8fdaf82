from sympy import symbols, Function, Eq, sin, cos
t = symbols("t")
mc, mp, l, g, F = symbols("mc mp l g F")
x = Function("x")(t)
theta = Function("theta")(t)
eom1 = Eq(mc*x.diff(t, 2) + mp*l*theta.diff(t, 2)*cos(theta) - mp*l*theta.diff(t)**2*sin(theta), F)
eom2 = Eq(mp*l*x.diff(t, 2)*cos(theta) + mp*l**2*theta.diff(t, 2) + mp*g*l*sin(theta), 0)
