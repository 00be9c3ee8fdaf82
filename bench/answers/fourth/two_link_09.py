import numpy as np

def dyn(q):
    # m1 = m2 = 1 kg, l = 1 m
    c2 = np.cos(q[1])
    M = np.array([[5/3 + c2, 1/3 + c2/2],
                  [1/3 + c2/2, 1/3]])
    G = 9.81*np.array([1.5*np.cos(q[0]) + 0.5*np.cos(q[0] + q[1]), 0.5*np.cos(q[0] + q[1])])
    return M, G
