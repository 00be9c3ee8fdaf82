import numpy as np

m1 = m2 = 1.0
l1 = l2 = 1.0
I1zz = I2zz = 0.08
g = 9.81
r1, r2 = l1/2, l2/2          # centres of mass

def dynamics(q, dq):
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    M = np.array([
        [m1*r1**2 + I1zz + m2*(l1**2 + r2**2 + 2*l1*r2*c2) + I2zz, m2*(r2**2 + l1*r2*c2) + I2zz],
        [m2*(r2**2 + l1*r2*c2) + I2zz, m2*r2**2 + I2zz],
    ])
    k = -m2*l1*r2*s2
    C = np.array([[k*dq[1], k*(dq[0] + dq[1])], [-k*dq[0], 0]])
    G = g*np.array([
        (m1*r1 + m2*l1)*np.cos(q[0]) + m2*r2*np.cos(q[0] + q[1]),
        m2*r2*np.cos(q[0] + q[1]),
    ])
    return M, C, G
