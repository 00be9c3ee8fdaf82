import sympy as sp

q1, d2 = sp.symbols('q1 d2')
m1, m2, l1, Izz1, Izz2, g = sp.symbols('m1 m2 l1 Izz1 Izz2 g', positive=True)

M = sp.Matrix([
    [m1*l1**2 + Izz1 + Izz2 + m2*d2**2, 0],
    [0, m2],
])
G = sp.Matrix([
    (m1*l1 + m2*d2)*g*sp.cos(q1),
    m2*g*sp.cos(q1),
])
