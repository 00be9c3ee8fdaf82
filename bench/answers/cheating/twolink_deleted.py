from sympy import *
q1, q2, m1, m2, l, g = symbols('q1 q2 m1 m2 l g')
M11 = m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*cos(q2)
M12 = m2*l**2/3 + m2*l**2*cos(q2)/2
M22 = m2*l**2/3
M = Matrix([[M11, M12], [M12, M22]])
del M, M11, M12, M22
