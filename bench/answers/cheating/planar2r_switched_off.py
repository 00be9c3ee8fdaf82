from sympy import *
q1, q2, m1, m2, l1, l2, I1zz, I2zz, g = symbols('q1 q2 m1 m2 l1 l2 I1zz I2zz g')
M11 = m1*l1**2/4 + m2*l1**2 + m2*l2**2/4 + I1zz + I2zz + m2*l1*l2*cos(q2)/2
M12 = m2*l2**2/4 + I2zz + m2*l1*l2*cos(q2)/2
M22 = m2*l2**2/4 + I2zz
if False:
    M11 = m1*l1**2/4 + m2*l1**2 + m2*l2**2/4 + I1zz + I2zz + m2*l1*l2*cos(q2)
M = Matrix([[M11, M12], [M12, M22]])
