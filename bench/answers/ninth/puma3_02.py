from sympy import *
q2, q3, m2, m3, a2, a3, I1 = symbols('q2 q3 m2 m3 a2 a3 I1')
M11 = I1 + m2*a2**2*cos(q2)**2 + m3*(a2*cos(q2) + a3*cos(q2 + q3))**2
M22 = m2*a2**2 + m3*(a2**2 + a3**2 + 2*a2*a3*cos(q3))
M33 = m3*a3**2
