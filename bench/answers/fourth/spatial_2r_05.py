from sympy import *
q1, q2, q1d, q2d = symbols('q1 q2 q1d q2d')
m1, m2, L, Ia, g = symbols('m1 m2 L Ia g', positive=True)
# dM11/dq2
dM11 = -m2*L**2*sin(q2)*(1 + cos(q2)/2) - Ia*sin(q2)*cos(q2)
h1 = dM11*q1d*q2d
h2 = -Rational(1, 2)*dM11*q1d**2
h = Matrix([h1, h2])
