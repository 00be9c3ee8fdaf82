from sympy import symbols, sin, cos, Matrix
q1, q2, m1, m2, l, g = symbols('q1 q2 m1 m2 l g')
DEBUG = True
G1 = m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + m2*g*l*cos(q1+q2)/2
if DEBUG:
    G2 = m2*g*l*cos(q1+q2)
else:
    G2 = m2*g*l*cos(q1+q2)/2
G = Matrix([G1, G2])
