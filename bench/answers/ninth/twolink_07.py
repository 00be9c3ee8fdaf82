import numpy as np
from numpy import sin, cos


def mass_matrix(q, m1, m2, l):
    q1, q2 = q
    M11 = (m1/3 + 4*m2/3 + m2*cos(q2))*l**2
    M12 = (1/3 + cos(q2)/2)*m2*l**2
    M22 = m2*l**2/3
    return np.array([[M11, M12], [M12, M22]])


def gravity(q, m1, m2, l, g=9.81):
    q1, q2 = q
    return g*l*np.array([(m1/2 + m2)*cos(q1) + m2*cos(q1 + q2)/2,
                         m2*cos(q1 + q2)/2])
