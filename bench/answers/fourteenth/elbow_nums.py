import numpy as np
m1, m2 = 2.0, 1.5
l1, l2 = 0.7, 0.5
lc1, lc2 = 0.3, 0.2
I1, I2 = 0.09, 0.03
g = 9.81

def M(q1, q2):
    m11 = I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*np.cos(q2))
    m12 = I2 + m2*(lc2**2 + l1*lc2*np.cos(q2))
    m22 = I2 + m2*lc2**2
    return np.array([[m11, m12], [m12, m22]])

def G(q1, q2):
    return np.array([(m1*lc1 + m2*l1)*g*np.cos(q1) + m2*lc2*g*np.cos(q1 + q2),
                     m2*lc2*g*np.cos(q1 + q2)])
