from sympy import symbols, sin, cos, Matrix

m1, m2, l1, lc1, lc2, I1, I2, g = symbols('m1 m2 l1 lc1 lc2 I1 I2 g', positive=True)
q1, q2 = symbols('q1 q2')   # q1 from hanging down, q2 relative

M = Matrix([
    [I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)), I2 + m2*(lc2**2 + l1*lc2*cos(q2))],
    [I2 + m2*(lc2**2 + l1*lc2*cos(q2)), I2 + m2*lc2**2],
])

# M*qdd + h + G = tau
G = Matrix([
    -(m1*lc1 + m2*l1)*g*sin(q1) - m2*g*lc2*sin(q1 + q2),
    -m2*g*lc2*sin(q1 + q2),
])
