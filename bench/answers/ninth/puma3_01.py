from sympy import Matrix, cos, sin, symbols

q1, q2, q3 = symbols("q1:4")
m2, m3, a2, a3, d, I1, g = symbols("m2 m3 a2 a3 d I1 g", positive=True)

M11 = I1 + m2*(a2**2*cos(q2)**2 + d**2) + m3*((a2*cos(q2) + a3*cos(q2 + q3))**2 + d**2)
M12 = d*(m2*a2*sin(q2) + m3*(a2*sin(q2) + a3*sin(q2 + q3)))
M13 = d*m3*a3*sin(q2 + q3)
M22 = m2*a2**2 + m3*(a2**2 + a3**2 + 2*a2*a3*cos(q3))
M23 = m3*(a3**2 + a2*a3*cos(q3))
M33 = m3*a3**2
M = Matrix([[M11, M12, M13], [M12, M22, M23], [M13, M23, M33]])

G = Matrix([0, (m2 + m3)*g*a2*cos(q2) + m3*g*a3*cos(q2 + q3), m3*g*a3*cos(q2 + q3)])
