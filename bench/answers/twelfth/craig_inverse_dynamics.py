import numpy as np


def inverse_dynamics(theta, dtheta, ddtheta, m1, m2, l1, l2, g=9.81):
    """Joint torques of Craig's two-link arm with point masses."""
    t1, t2 = theta
    w1, w2 = dtheta
    k = m2 * l1 * l2
    M = np.array([[(m1 + m2) * l1**2 + m2 * l2**2 + 2 * k * np.cos(t2), m2 * l2**2 + k * np.cos(t2)],
                  [m2 * l2**2 + k * np.cos(t2), m2 * l2**2]])
    V = np.array([-k * np.sin(t2) * (2 * w1 * w2 + w2**2),
                  k * np.sin(t2) * w1**2])
    G = np.array([(m1 + m2) * l1 * g * np.cos(t1) + m2 * l2 * g * np.cos(t1 + t2),
                  m2 * l2 * g * np.cos(t1 + t2)])
    return M @ ddtheta + V + G
