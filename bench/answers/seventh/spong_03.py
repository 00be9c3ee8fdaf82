"""Elbow manipulator, two revolute joints. q = (q1, q2) in rad, relative joint angles, gravity acts along -y."""
import numpy as np

m1, m2 = 1.2, 0.8          # kg
l1, l2 = 0.6, 0.5          # m
lc1, lc2 = 0.3, 0.25       # centres of mass, m
I1, I2 = 0.04, 0.02        # about the centres of mass, kg m^2
g = 9.81


def mass_matrix(q):
    c2 = np.cos(q[1])
    d11 = m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * c2) + I1 + I2
    d12 = m2 * (lc2**2 + l1 * lc2 * c2) + I2
    d22 = m2 * lc2**2 + I2
    return np.array([[d11, d12], [d12, d22]])


def coriolis_matrix(q, dq):
    h = -m2 * l1 * lc2 * np.sin(q[1])
    return np.array([[h * dq[1], h * dq[1] + h * dq[0]],
                     [-h * dq[0], 0.0]])


def gravity_vector(q):
    g2 = m2 * lc2 * g * np.cos(q[0] + q[1])
    g1 = (m1 * lc1 + m2 * l1) * g * np.cos(q[0]) + g2
    return np.array([g1, g2])
