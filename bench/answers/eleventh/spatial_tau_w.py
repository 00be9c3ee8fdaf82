import numpy as np

def inverse_dynamics(q, qd, qdd, m1, m2, L, Ia, g=9.81):
    """Joint torques of the spatial two-link arm; gravity along +x0."""
    q1, q2 = q
    s1, s2, c1, c2 = np.sin(q1), np.sin(q2), np.cos(q1), np.cos(q2)
    a = m2 * L**2 * (1 + c2 / 2) + Ia * c2
    m11 = m1 * L**2 / 4 + m2 * L**2 * (1 + c2 / 2)**2 + Ia * (3 + c2**2) / 2
    tau1 = m11 * qdd[0] - a * s2 * qd[0] * qd[1] + g * L * s1 * (m1 / 2 + m2 + m2 * c2 / 2)
    tau2 = (Ia + m2 * L**2 / 4) * qdd[1] + a * s2 * qd[0]**2 / 2 + m2 * g * L / 2 * np.sin(q1 + q2)
    return np.array([tau1, tau2])
