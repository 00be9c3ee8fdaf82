import sympy as sp
t = sp.symbols('t')
m1, m2, l1, Izz1, Izz2, g = sp.symbols('m1 m2 l1 Izz1 Izz2 g', positive=True)
q1, d2, qd1, dd2 = sp.symbols('q1 d2 qd1 dd2')
K = sp.Rational(1, 2)*(m1*l1**2 + Izz1 + Izz2 + m2*d2**2)*qd1**2 + sp.Rational(1, 2)*m2*dd2**2
P = (m1*l1 + m2*d2)*g*sp.sin(q1)
rates = sp.Matrix([qd1, dd2])
M = sp.hessian(K, rates)
