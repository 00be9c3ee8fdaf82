import numpy as np

def mass_matrix(q, m1, m2, m3, l1, l2, l3):
    c2, c3, c23 = np.cos(q[1]), np.cos(q[2]), np.cos(q[1] + q[2])
    m33 = m3 * l3**2
    m23 = m33 + m3 * l2 * l3 * c3
    m13 = m23 + m3 * l1 * l3 * c23
    m22 = (m2 + m3) * l2**2 + m3 * l3**2 + 2 * m3 * l2 * l3 * c3
    m12 = m22 + (m2 + m3) * l1 * l2 * c2 + m3 * l1 * l3 * c23
    m11 = (m1 + m2 + m3) * l1**2 + m22 + 2 * (m2 + m3) * l1 * l2 * c2 + 2 * m3 * l1 * l3 * c23
    M = np.array([[m11, m12, m13],
                  [m12, m22, m23],
                  [m13, m23, m33]])
    return M
