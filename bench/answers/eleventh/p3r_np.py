import numpy as np

def gravity_torque(q, m1, m2, m3, l1, l2, l3, g=9.81):
    a1 = q[0]
    a2 = q[0] + q[1]
    a3 = q[0] + q[1] + q[2]
    G3 = m3*g*l3*np.cos(a3)
    G2 = (m2 + m3)*g*l2*np.cos(a2) + G3
    G1 = (m1 + m2 + m3)*g*l1*np.cos(a1) + G2
    return np.array([G1, G2, G3])
