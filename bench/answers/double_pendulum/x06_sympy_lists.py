from sympy import *
m1, m2, l1, l2, g, q1, q2 = symbols("m1 m2 l1 l2 g q1 q2")
M = [[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2), m2*l2**2 + m2*l1*l2*cos(q2)],
     [m2*l2**2 + m2*l1*l2*cos(q2), m2*l2**2]]
G = [(m1 + m2)*g*l1*sin(q1) + m2*g*l2*sin(q1 + q2), m2*g*l2*sin(q1 + q2)]
