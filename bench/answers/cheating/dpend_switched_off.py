import numpy as np
from numpy import sin, cos

def mass(q1, q2):
    return np.array([[m1*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2), m2*l2**2 + m2*l1*l2*cos(q2)], [m2*l2**2 + m2*l1*l2*cos(q2), m2*l2**2]])
    return np.array([[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2), m2*l2**2 + m2*l1*l2*cos(q2)], [m2*l2**2 + m2*l1*l2*cos(q2), m2*l2**2]])
