import sympy as sp

t = sp.Symbol("t")
m1, m2, l1, Izz1, Izz2, g = sp.symbols("m1 m2 l1 Izz1 Izz2 g")
q1 = sp.Function("q1")(t)
d2 = sp.Function("d2")(t)

T = sp.Rational(1, 2)*(m1*l1**2 + Izz1 + Izz2)*q1.diff(t)**2 + sp.Rational(1, 2)*m2*(d2.diff(t)**2 + (d2*q1.diff(t))**2)
V = (m1*l1 + m2*d2)*g*sp.sin(q1)
L = T - V

tau1 = sp.simplify(L.diff(q1.diff(t)).diff(t) - L.diff(q1))
tau2 = sp.simplify(L.diff(d2.diff(t)).diff(t) - L.diff(d2))
