import numpy as np
def mass_matrix(theta):
    M11 = M + m
    M12 = m*l*np.cos(theta)
    M22 = I + m*l
    return np.array([[M11, M12], [M12, M22]])
