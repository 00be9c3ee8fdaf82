import sympy as sp
q1, q2, q1d, q2d, m1, m2, L, Ia, g = sp.symbols('q1 q2 q1d q2d m1 m2 L Ia g')
s2, c2 = sp.sin(q2), sp.cos(q2)
dM11 = -m2*L**2*s2*(1 + c2/2) - Ia*s2*c2     # = diff(M11, q2)
h1 = dM11*q1d*q2d
h2 = -dM11*q1d**2
