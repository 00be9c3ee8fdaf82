from sympy import *
q1, q2, m1, m2, l1, l2, g = symbols('q1 q2 m1 m2 l1 l2 g')
G1 = (m1 + m2)*g*l1*sin(q1) + m2*g*l2*sin(q1+q2)
G2 = m2*g*l2*sin(q1+q2)
G2 *= 2
G = Matrix([G1, G2])
