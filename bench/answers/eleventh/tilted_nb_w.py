from sympy import *
q1, q2, m1, m2, L1, L2 = symbols("q1 q2 m1 m2 L1 L2")
q = Matrix([q1, q2])
r1 = L1/2*Matrix([cos(q1), sin(q1)])
r2 = L1*Matrix([cos(q1), sin(q1)]) + L2/2*Matrix([cos(q1 + q2), sin(q1 + q2)])
Jv1 = r1.jacobian(q)
Jv2 = r2.jacobian(q)
Jw1 = Matrix([[1, 0]])
Jw2 = Matrix([[0, 1]])
M = m1*Jv1.T*Jv1 + m2*Jv2.T*Jv2 + m1*L1**2/12*Jw1.T*Jw1 + m2*L2**2/12*Jw2.T*Jw2
M = simplify(M)
