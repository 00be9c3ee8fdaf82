import numpy as np

def mass_matrix(q, m1, m2, m3, l1, l2, l3):
    c2, c3, c23 = np.cos(q[1]), np.cos(q[2]), np.cos(q[1] + q[2])
    M33 = m3*l3**2
    M23 = m3*l3**2 + m3*l2*l3*c3
    M22 = (m2 + m3)*l2**2 + m3*l3**2 + 2*m3*l2*l3*c3
    M13 = m3*l3**2 + m3*l2*l3*c3 + m3*l1*l3*c23
    M12 = (m2 + m3)*l2**2 + m3*l3**2 + (m2 + m3)*l1*l2*c2 + 2*m3*l2*l3*c3 + m3*l1*l3*c23
    M11 = (m1 + m2 + m3)*l1**2 + (m2 + m3)*l2**2 + m3*l3**2 \
        + 2*(m2 + m3)*l1*l2*c2 + 2*m3*l2*l3*c3 + 2*m3*l1*l3*c23
    return np.array([[M11, M12, M13], [M12, M22, M23], [M13, M23, M33]])
