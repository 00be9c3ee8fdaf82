from sympy import *
q1, q2, m1, m2, l, g = symbols('q1 q2 m1 m2 l g')
"M = Matrix([[m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*cos(q2), m2*l**2/3 + m2*l**2*cos(q2)/2], [m2*l**2/3 + m2*l**2*cos(q2)/2, m2*l**2/3]])"
M = Matrix([[m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*cos(q2), m2*l**2/3 + m2*l**2*cos(q2)/2], [m2*l**2/3 + m2*l**2*cos(q2)/2, m2*l**2/12]])
