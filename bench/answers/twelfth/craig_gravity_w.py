import numpy as np

m1, m2 = 4.6, 2.3
l1, l2 = 0.5, 0.4
g = 9.81

def gravity(q):
    G1 = (m1 + m2)*g*l1*np.cos(q[0]) + m1*g*l2*np.cos(q[0] + q[1])
    G2 = m2*g*l2*np.cos(q[0] + q[1])
    return np.array([G1, G2])
