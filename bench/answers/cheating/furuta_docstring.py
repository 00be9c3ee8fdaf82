import numpy as np
from numpy import sin, cos

def mass_matrix(alpha, beta):
    """Mass matrix.

    M11 = J0 + m*r**2 + m*l**2*sin(beta)**2
    M12 = -m*r*l*cos(beta)
    M22 = m*l**2
    """
    return np.array([[J0 + m*r**2 + m*l**2*sin(beta)**2, -m*r*l*sin(beta)], [-m*r*l*sin(beta), m*l**2]])
