import sympy as sp

t, mc, mp, l, g, F = sp.symbols('t m_c m_p l g F')
x = sp.Function('x')(t)
theta = sp.Function('theta')(t)

eq1 = sp.Eq((mc + mp)*x.diff(t, 2) + mp*l*sp.cos(theta)*theta.diff(t, 2) - mp*l*sp.sin(theta)*theta.diff(t)**2, F)
eq2 = sp.Eq(mp*l*sp.cos(theta)*x.diff(t, 2) + mp*l**2*theta.diff(t, 2) + mp*g*l*sp.sin(theta), 0)
