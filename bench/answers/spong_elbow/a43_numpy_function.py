import numpy as np


def dynamics(q, dq, m1, m2, l1, lc1, lc2, I1, I2, g=9.81):
    c1, c2, s2, c12 = np.cos(q[0]), np.cos(q[1]), np.sin(q[1]), np.cos(q[0] + q[1])
    M = np.array([[m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*c2) + I1 + I2, m2*(lc2**2 + l1*lc2*c2) + I2],
                  [m2*(lc2**2 + l1*lc2*c2) + I2, m2*lc2**2 + I2]])
    C = m2*l1*lc2*s2*np.array([[-dq[1], -(dq[0] + dq[1])], [dq[0], 0.0]])
    G = np.array([(m1*lc1 + m2*l1)*g*c1 + m2*lc2*g*c12, m2*lc2*g*c12])
    return M, C, G
