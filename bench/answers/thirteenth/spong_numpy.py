import numpy as np


class ElbowArm:
    def __init__(self, m1=1.2, m2=0.8, l1=0.6, lc1=0.3, lc2=0.25, I1=0.04, I2=0.02, g=9.81):
        self.m1, self.m2, self.l1 = m1, m2, l1
        self.lc1, self.lc2 = lc1, lc2
        self.I1, self.I2, self.g = I1, I2, g

    def M(self, q):
        c2 = np.cos(q[1])
        M11 = self.I1 + self.I2 + self.m1*self.lc1**2 + self.m2*(self.l1**2 + self.lc2**2 + 2*self.l1*self.lc2*c2)
        M12 = self.I2 + self.m2*(self.lc2**2 + self.l1*self.lc2*c2)
        M22 = self.I2 + self.m2*self.lc2**2
        return np.array([[M11, M12], [M12, M22]])

    def C(self, q, qd):
        h = self.m2*self.l1*self.lc2*np.sin(q[1])
        return np.array([[-h*qd[1], -h*(qd[0] + qd[1])], [h*qd[0], 0.0]])

    def G(self, q):
        G2 = self.m2*self.lc2*self.g*np.cos(q[0] + q[1])
        G1 = (self.m1*self.lc1 + self.m2*self.l1)*self.g*np.cos(q[0]) + G2
        return np.array([G1, G2])
