# unit rods: m1 = m2 = 1 kg, l = 1 m
import numpy as np

def M(q):
    c2 = np.cos(q[1])
    return np.array([[5.0/3.0 + c2, 1.0/3.0 + 0.5*c2],
                     [1.0/3.0 + 0.5*c2, 1.0/3.0]])

def G(q):
    return 9.81*np.array([1.5*np.cos(q[0]) + 0.5*np.cos(q[0] + q[1]),
                          0.5*np.cos(q[0] + q[1])])
