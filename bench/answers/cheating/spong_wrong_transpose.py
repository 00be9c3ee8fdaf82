from sympy import *
q2, qd1, qd2, m2, l1, lc2 = symbols('q2 qd1 qd2 m2 l1 lc2')
h = -m2*l1*lc2*sin(q2)
C = Matrix([[h*qd2, h*(qd1 + qd2)], [-h*qd1, 0]])
C = C.T
