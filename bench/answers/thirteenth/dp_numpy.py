import numpy as np
from scipy.integrate import solve_ivp

m1, m2 = 1.0, 0.5
l1, l2 = 1.0, 0.7
g = 9.81

def f(t, y):
    q1, q2, w1, w2 = y
    M = np.array([[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*np.cos(q2), m2*l2**2 + m2*l1*l2*np.cos(q2)],
                  [m2*l2**2 + m2*l1*l2*np.cos(q2),                      m2*l2**2]])
    h = np.array([-m2*l1*l2*np.sin(q2)*(2*w1*w2 + w2**2),
                   m2*l1*l2*np.sin(q2)*w1**2])
    G = np.array([(m1 + m2)*g*l1*np.sin(q1) + m2*g*l2*np.sin(q1 + q2),
                   m2*g*l2*np.sin(q1 + q2)])
    acc = np.linalg.solve(M, -h - G)
    return [w1, w2, acc[0], acc[1]]
