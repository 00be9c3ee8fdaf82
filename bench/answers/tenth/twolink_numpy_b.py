import numpy as np

def mass_matrix(q, m1, m2, l):
    c2 = np.cos(q[1])
    return l**2*np.array([[m1/3 + m2*(4/3 + c2), m2*(1/3 + c2/2)],
                          [m2*(1/3 + c2/2), m2/3]])

def coriolis(q, qd, m2, l):
    k = 0.5*m2*l**2*np.sin(q[1])
    return np.array([-k*(2*qd[0]*qd[1] + qd[1]**2), k*qd[0]**2])

def gravity(q, m1, m2, l, g):
    g2 = 0.5*m2*g*l*np.cos(q[1])
    return np.array([(m1/2 + m2)*g*l*np.cos(q[0]) + g2, g2])
