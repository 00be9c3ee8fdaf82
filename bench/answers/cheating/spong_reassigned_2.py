from sympy import *
q1, q2, m1, m2, l1, l2, lc1, lc2, I1, I2, g = symbols('q1 q2 m1 m2 l1 l2 lc1 lc2 I1 I2 g')
G1 = (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1+q2)
G2 = m2*lc2*g*cos(q1+q2)
G2 *= 2
G = Matrix([G1, G2])
