from sympy import symbols, sin, cos, Matrix

q1, q2, qd1, qd2 = symbols("q1 q2 qd1 qd2")
m1, m2, l1, lc1, lc2, I1, I2, g = symbols("m1 m2 l1 lc1 lc2 I1 I2 g")

d11 = m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)) + I1 + I2
d12 = m2*(lc2**2 + l1*lc2*cos(q2)) + I2
d22 = m2*lc2**2 + I2
M = Matrix([[d11, d12], [d12, d22]])

hc = -m2*l1*lc2*cos(q2)
C = Matrix([[hc*qd2, hc*(qd1 + qd2)],
            [-hc*qd1, 0]])

G = Matrix([(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2),
            m2*lc2*g*cos(q1 + q2)])
