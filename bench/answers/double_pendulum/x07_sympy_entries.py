from sympy import symbols, cos, zeros
m1, m2, l1, l2, q2 = symbols("m1 m2 l1 l2 q2")
M = zeros(2, 2)
M[0, 0] = (m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2)
M[0, 1] = m2*l2**2 + m2*l1*l2*cos(q2)
M[1, 0] = M[0, 1]
M[1, 1] = m2*l2**2
