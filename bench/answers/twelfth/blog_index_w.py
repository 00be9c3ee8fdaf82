import sympy as sp
q1, q2 = sp.symbols('q1 q2')
m1, m2, l1, l2, I1zz, I2zz = sp.symbols('m1 m2 l1 l2 I1zz I2zz')

M11 = m1*l1**2/4 + I1zz + m2*(l1**2 + l2**2/4 + l1*l2*sp.cos(q2)) + I2zz
M12 = m2*(l2**2/4 + l1*l2*sp.cos(q2)/2) + I2zz
M22 = m2*l2**2/4 + I1zz
M = sp.Matrix([[M11, M12], [M12, M22]])
