from sympy import *
m1, m2, l1, lc1, lc2, I1, I2, g = symbols('m1 m2 l1 lc1 lc2 I1 I2 g')
q1, q2, qd1, qd2, tau1, tau2 = symbols('q1 q2 qd1 qd2 tau1 tau2')

b = m2*l1*lc2
M = Matrix([[I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2) + 2*b*cos(q2), I2 + m2*lc2**2 + b*cos(q2)],
            [I2 + m2*lc2**2 + b*cos(q2), I2 + m2*lc2**2]])
h = Matrix([-b*sin(q2)*(2*qd1*qd2 + qd2**2), b*sin(q2)*qd1**2])
G = Matrix([(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2), m2*lc2*g*cos(q1 + q2)])
tau = Matrix([tau1, tau2])

qdd = M.inv()*(tau - h + G)
qdd1, qdd2 = simplify(qdd[0]), simplify(qdd[1])
