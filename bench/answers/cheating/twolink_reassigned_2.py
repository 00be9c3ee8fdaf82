import numpy as np
def gravity(q1, q2, m1, m2, l, g):
    G = np.zeros(2)
    G[0] = m1*g*l*cos(q1)/2 + m2*g*l*cos(q1) + m2*g*l*cos(q1+q2)/2
    G[1] = m2*g*l*cos(q1+q2)/2
    for i in range(2):
        G[i] = 0.0
    return G
