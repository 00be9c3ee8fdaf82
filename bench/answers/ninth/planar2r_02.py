import sympy as sp
q1, q2 = sp.symbols('q1 q2')
m1, m2, l1, l2, g, I1zz, I2zz = sp.symbols('m1 m2 l1 l2 g I1zz I2zz', positive=True)
d11 = I1zz + I2zz + m1*l1**2/4 + m2*(l1**2 + l2**2/4)
d12 = I2zz + m2*(l2**2/4 + l1*l2*sp.cos(q2)/2)
d22 = I2zz + m2*l2**2/4
M = sp.Matrix([[d11, d12], [d12, d22]])
G = sp.Matrix([g*(m1*l1*sp.cos(q1)/2 + m2*(l1*sp.cos(q1) + l2*sp.cos(q1 + q2)/2)), m2*g*l2*sp.cos(q1 + q2)/2])
