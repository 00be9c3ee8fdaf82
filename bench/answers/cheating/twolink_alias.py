from sympy import *
q1, q2, m1, m2, l, g = symbols('q1 q2 m1 m2 l g')
beta = q2
G1 = m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + m2*g*l*cos(beta)/2
G2 = m2*g*l*cos(beta)/2
