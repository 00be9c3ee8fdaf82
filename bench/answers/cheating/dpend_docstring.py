import numpy as np
from numpy import sin, cos

def mass_matrix(q1, q2):
    """Mass matrix.

    M11 = (m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2)
    M12 = m2*l2**2 + m2*l1*l2*cos(q2)
    M22 = m2*l2**2
    """
    return np.array([[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2), m2*l2**2 - m2*l1*l2*cos(q2)], [m2*l2**2 - m2*l1*l2*cos(q2), m2*l2**2]])
