import numpy as np


class Acrobot:
    def __init__(self, m1, m2, l1, lc1, lc2, I1, I2, g=9.81):
        self.m1, self.m2, self.l1 = m1, m2, l1
        self.lc1, self.lc2, self.I1, self.I2, self.g = lc1, lc2, I1, I2, g

    def terms(self, q1, q2, dq1, dq2):
        m1, m2, l1, lc1, lc2 = self.m1, self.m2, self.l1, self.lc1, self.lc2
        I1, I2, g = self.I1, self.I2, self.g
        M11 = m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*np.cos(q2)) + I1 + I2
        M12 = m2*(lc2**2 + l1*lc2*np.cos(q2)) + I2
        M22 = m2*lc2**2 + I2
        h1 = -m2*l1*lc2*np.sin(q2)*(dq2**2 + 2*dq1*dq2)
        h2 = m2*l1*lc2*np.sin(q2)*dq1**2
        G1 = (m1*lc1 + m2*l1)*g*np.sin(q1) + m2*lc2*g*np.sin(q2)
        G2 = m2*lc2*g*np.sin(q1 + q2)
        return np.array([[M11, M12], [M12, M22]]), np.array([h1, h2]), np.array([G1, G2])
