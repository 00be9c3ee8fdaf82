import numpy as np

m1, m2, l1 = 3.0, 2.0, 0.6
r1, r2, Iz1, Iz2 = 0.28, 0.24, 0.09, 0.05

alpha = Iz1 + Iz2 + m1*r1**2 + m2*(l1**2 + r2**2)
beta = m2*l1*r2
delta = Iz2 + m2*r2**2

def M(th):
    c2 = np.cos(th[1])
    return np.array([[alpha + 2*beta*c2, delta + beta*c2],
                     [delta + beta*c2, delta]])

def C(th, thd):
    s2 = np.sin(th[1])
    return np.array([[-beta*s2*thd[1], -beta*s2*(thd[0] + thd[1])],
                     [beta*s2*thd[0], 0]])
