from sympy import *
q1, q2, q3 = symbols('q1:4')
m1, m2, m3, a1, a2, a3 = symbols('m1 m2 m3 a1 a2 a3')
c2, c3, c23 = cos(q2), cos(q3), cos(q2 + q3)
M33 = m3*a3**2
M23 = m3*(a3**2 + a2*a3*c3)
M13 = m3*(a3**2 + a2*a3*c3 + a1*a3*c23)
M22 = m2*a2**2 + m3*(a2**2 + a3**2 + 2*a2*a3*c3)
M12 = m2*(a2**2 + a1*a2*c2) + m3*(a2**2 + a3**2 + 2*a2*a3*c3 + a1*a2*c2 + a1*a3*c23)
M11 = m1*a1**2 + m2*(a1**2 + a2**2 + 2*a1*a2*c2) + m3*(a1**2 + a2**2 + a3**2 + 2*a1*a2*c2 + 2*a2*a3*c3 + 2*a1*a3*c23)
M = Matrix([[M11, M12, M13], [M12, M22, M23], [M13, M23, M33]])
