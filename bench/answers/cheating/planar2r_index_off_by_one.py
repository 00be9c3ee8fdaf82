import numpy as np
from numpy import cos
def gravity(q1, q2, m1, m2, l1, l2, g):
    G = np.zeros(3)
    G[1] = m1*g*l1*cos(q1)/2 + m2*g*l1*cos(q1) + m2*g*l2*cos(q1+q2)/2
    G[2] = m2*g*l2*cos(q1+q2)/2
    return G[:2]
