from sympy import *
q1, q2, m1, m2, l1, l2, g = symbols('q1 q2 m1 m2 l1 l2 g')
M = Matrix([[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2), m2*l2**2 - m2*l1*l2*cos(q2)], [m2*l2**2 - m2*l1*l2*cos(q2), m2*l2**2]])

def correct():
    M[0, 1] = m2*l2**2 + m2*l1*l2*cos(q2)
    M[1, 0] = m2*l2**2 + m2*l1*l2*cos(q2)

print(M)
