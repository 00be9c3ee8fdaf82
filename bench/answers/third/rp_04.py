import sympy as sp
t = sp.symbols("t")
m1, m2, l1, g, Izz1, Izz2 = sp.symbols("m1 m2 l1 g Izz1 Izz2", positive=True)
q1, d2 = sp.Function("q1")(t), sp.Function("d2")(t)

# rows of d/dt(dL/dqd) - dL/dq after simplify()
tau1 = (m1*l1**2 + m2*d2**2 + Izz1 + Izz2)*q1.diff(t, 2) + 2*m2*d2*q1.diff(t)*d2.diff(t) + g*(l1*m1 + m2*d2)*sp.cos(q1)
tau2 = m2*(d2.diff(t, 2) - d2*q1.diff(t)**2 + g*sp.sin(q1))
