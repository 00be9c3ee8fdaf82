import numpy as np

def mass_matrix(theta1, theta2, m1=4.6, m2=2.3, l1=0.5, l2=0.4):
    '''Mass matrix of the two-link arm with point masses at the ends.'''
    c2 = np.cos(theta2)
    M = np.zeros((2, 2))
    M[0, 0] = (m1 + m2) * l1**2 + m2 * l2**2 + 2 * m2 * l1 * l2 * c2
    M[0, 1] = m2 * l2**2 + 0.5 * m2 * l1 * l2 * c2
    M[1, 0] = M[0, 1]
    M[1, 1] = m2 * l2**2
    return M
