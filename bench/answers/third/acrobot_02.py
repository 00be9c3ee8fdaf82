import numpy as np
from numpy import cos

def manipulator_M(q1, q2):
    c2 = cos(q2)
    return np.array([
        [I1 + I2 + m2*l1**2 + m2*lc2**2 + 2*m2*l1*lc2*c2, I2 + m2*lc2**2 + m2*l1*lc2*c2],
        [I2 + m2*lc2**2 + m2*l1*lc2*c2, I2 + m2*lc2**2],
    ])
