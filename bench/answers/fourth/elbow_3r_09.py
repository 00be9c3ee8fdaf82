from sympy import *
q1, q2, q3, w1, w2, w3 = symbols('q1 q2 q3 w1 w2 w3')     # w = qdot
m2, m3, l1, r1, r2 = symbols('m2 m3 l1 r1 r2')
Iy2, Iy3, Iz2, Iz3 = symbols('Iy2 Iy3 Iz2 Iz3')
s2, c2, s3, s23, c23 = sin(q2), cos(q2), sin(q3), sin(q2 + q3), cos(q2 + q3)
a = (Iy2 - Iz2 - m2*r1**2)*c2*s2 + (Iy3 - Iz3)*c23*s23 - m3*(l1*c2 + r2*c23)*(l1*s2 + r2*s23)
b = (Iy3 - Iz3)*c23*s23 - m3*r2*s23*(l1*c2 + r2*c23)
e = m3*l1*r2*s3
C = Matrix([[a*w2 + b*w3, a*w1, b*w1],
            [-a*w1, -e*w3, -e*(w2 + w3)],
            [-b*w1, e*w2, 0]])
