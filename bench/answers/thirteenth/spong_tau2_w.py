import numpy as np

def inverse_dynamics(q, qd, qdd, m1, m2, l1, lc1, lc2, I1, I2, g=9.81):
    c1, c2, c12 = np.cos(q[0]), np.cos(q[1]), np.cos(q[0] + q[1])
    s2 = np.sin(q[1])
    tau1 = ((m1*lc1**2 + I1 + m2*(l1**2 + lc2**2 + 2*l1*lc2*c2) + I2)*qdd[0]
            + (m2*(lc2**2 + l1*lc2*c2) + I2)*qdd[1]
            - m2*l1*lc2*s2*(2*qd[0]*qd[1] + qd[1]**2)
            + (m1*lc1 + m2*l1)*g*c1 + m2*lc2*g*c12)
    tau2 = ((m2*(lc2**2 + l1*lc2*c2) + I2)*qdd[0]
            + (m2*lc2**2 + I2)*qdd[1]
            + m2*l1*lc2*s2*qd[0]**2)
    return np.array([tau1, tau2])
