from sympy import symbols, cos
q1, q2, m1, m2, l, g = symbols('q1 q2 m1 m2 l g')
G1 = m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + m2*g*l*cos(q1+q2)/2
try:
    x = 1//0
    G2 = m2*g*l*cos(q1+q2)/2
except ZeroDivisionError:
    G2 = m2*g*l*cos(q1+q2)
