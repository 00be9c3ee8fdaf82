import numpy as np
from params import m1, m2, l1, lc1, lc2, I1, I2, g


def mass_matrix(q):
    c2 = np.cos(q[1])
    m11 = I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*c2)
    m12 = I2 + m2*(lc2**2 + l1*lc2*c2)
    m22 = I2 + m2*lc2**2
    return np.array([[m11, m12], [m12, m22]])


def coriolis(q, qd):
    s2 = np.sin(q[1])
    return np.array([-m2*l1*lc2*s2*(2*qd[0]*qd[1] + qd[1]**2), m2*l1*lc2*s2*qd[0]**2])


def gravity(q):
    g2 = m2*g*lc2*np.sin(q[0] + q[1])
    return np.array([(m1*lc1 + m2*l1)*g*np.sin(q[0]) + g2, g2])
