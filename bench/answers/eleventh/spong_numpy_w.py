import numpy as np


class ElbowArm:
    def __init__(self, m1=1.2, m2=0.8, l1=0.6, lc1=0.3, lc2=0.25, I1=0.04, I2=0.02, g=9.81):
        self.m1, self.m2, self.l1 = m1, m2, l1
        self.lc1, self.lc2 = lc1, lc2
        self.I1, self.I2, self.g = I1, I2, g

    def mass_matrix(self, q):
        c2 = np.cos(q[1])
        m22 = self.I2 + self.m2 * self.lc2**2
        m12 = m22 + self.m2 * self.l1 * self.lc2 * c2
        m11 = self.I1 + self.m1 * self.lc1**2 + self.m2 * self.l1**2 + 2 * m12 - m22
        return np.array([[m11, m12], [m12, m22]])

    def coriolis(self, q, qd):
        k = self.m2 * self.l1 * self.lc2 * np.sin(q[1])
        return np.array([-k * (2 * qd[0] * qd[1] + qd[1] ** 2), k * qd[0] ** 2])

    def gravity(self, q):
        g1 = self.m1 * self.g * self.l1 * np.cos(q[0])
        g1 += self.m2 * self.g * (self.l1 * np.cos(q[0]) + self.lc2 * np.cos(q[0] + q[1]))
        g2 = self.m2 * self.g * self.lc2 * np.cos(q[0] + q[1])
        return np.array([g1, g2])
