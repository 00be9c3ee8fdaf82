import numpy as np


class Acrobot:
    """q1 from the horizontal, q2 relative."""

    def __init__(self, m1=1., m2=1., l1=1., lc1=.5, lc2=1., I1=1/12, I2=1/3, g=9.81):
        self.m1, self.m2, self.l1, self.lc1, self.lc2 = m1, m2, l1, lc1, lc2
        self.I1, self.I2, self.g = I1, I2, g

    def M(self, q):
        d = self.m2*self.lc2**2 + self.I2
        k = self.m2*self.l1*self.lc2*np.cos(q[1])
        return np.array([[self.m1*self.lc1**2 + self.I1 + self.m2*self.l1**2 + d + 2*k, d + k], [d + k, d]])

    def h(self, q, qd):
        k = self.m2*self.l1*self.lc2*np.sin(q[1])
        return np.array([-2*k*qd[0]*qd[1] - k*qd[1]**2, k*qd[0]**2])

    def G(self, q):
        e = self.m2*self.lc2*self.g*np.cos(q[0] + q[1])
        return np.array([(self.m1*self.lc1 + self.m1*self.l1)*self.g*np.cos(q[0]) + e, e])
