from sympy import *

m1, m2, l1, l2, I1zz, I2zz, g, q1, q2 = symbols('m1 m2 l1 l2 I1zz I2zz g q1 q2')

M = Matrix([[I1zz + I2zz + m1*l1**2/4 + m2*(l1**2 + l2**2/4 + l1*l2*cos(q2)), I2zz + m2*(l2**2/4 + l1*l2*cos(q2)/2)],
            [I2zz + m2*(l2**2/4 + l1*l2*cos(q2)/2), I2zz + m2*l2**2/4]])

G = Matrix([g*(m1*l1*cos(q1)/2 + m2*(l1*cos(q1) + l2*cos(q1 + q2)/2)),
            m2*g*l2*cos(q1 + q2)/2])
