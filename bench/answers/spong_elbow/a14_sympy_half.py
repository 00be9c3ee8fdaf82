import sympy as sp

m1, m2, l1, lc1, lc2, I1, I2, g = sp.symbols("m1 m2 l1 lc1 lc2 I1 I2 g", positive=True)
q1, q2, dq1, dq2 = sp.symbols("q1 q2 dq1 dq2", real=True)

c2, s2 = sp.cos(q2), sp.sin(q2)
D = sp.Matrix([
    [m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*c2) + I1 + I2, m2*(lc2**2 + l1*lc2*c2) + I2],
    [m2*(lc2**2 + l1*lc2*c2) + I2, m2*lc2**2/2 + I2],
])
h = -m2*l1*lc2*s2
C = sp.Matrix([[h*dq2, h*(dq1 + dq2)], [-h*dq1, 0]])
g_vec = sp.Matrix([
    (m1*lc1 + m2*l1)*g*sp.cos(q1) + m2*lc2*g*sp.cos(q1 + q2),
    m2*lc2*g*sp.cos(q1 + q2),
])
