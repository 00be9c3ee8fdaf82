import numpy as np

class TwoLink:
    def __init__(self, m1, m2, l1, r1, r2, Iz1, Iz2):
        self.alpha = Iz1 + Iz2 + m1*r1**2 + m2*(l1**2 + r2**2)
        self.beta = m2*l1*r2
        self.delta = Iz2 + m2*r2**2

    def M(self, theta):
        c2 = np.cos(theta[1])
        return np.array([[self.alpha + 2*self.beta*c2, self.delta + self.beta*c2],
                         [self.delta + self.beta*c2, self.delta]])

    def C(self, theta, dtheta):
        s2 = np.sin(theta[1])
        return np.array([[-self.beta*s2*dtheta[1], -self.beta*s2*(dtheta[0] + dtheta[1])],
                         [self.beta*s2*dtheta[0], 0]])
