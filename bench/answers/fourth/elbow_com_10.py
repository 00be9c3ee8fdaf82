from sympy import symbols, Matrix, sin, cos
q1, q2, qd1, qd2 = symbols('q1 q2 qd1 qd2')
m1, m2, l1, lc1, lc2, I1, I2 = symbols('m1 m2 l1 lc1 lc2 I1 I2')
a = I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2)
b = m2*l1*lc2
d = I2 + m2*lc2**2
M = Matrix([[a + 2*b*cos(q2), d + b*cos(q2)], [d + b*cos(q2), d]])
C = Matrix([[-2*b*sin(q2)*qd2, -2*b*sin(q2)*(qd1 + qd2)], [2*b*sin(q2)*qd1, 0]])
