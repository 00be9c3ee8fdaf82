import sympy as sp
m1 = 1.2
m2 = 0.8
l1, lc1, lc2 = 0.6, 0.3, 0.25
I1, I2 = 0.04, 0.02
q1, q2 = sp.symbols("q1 q2")
M11 = m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*sp.cos(q2)) + I1 + I2
M12 = m2*(lc2**2 + l1*lc2*sp.cos(q2)) + I2
M22 = m2*lc2**2 + I2
