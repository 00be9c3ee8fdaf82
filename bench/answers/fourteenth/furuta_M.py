import numpy as np

def mass_matrix(q, p):
    alpha, beta = q
    M = np.zeros((2, 2))
    M[0, 0] = p.J0 + p.m*p.r**2 + p.m*p.l**2*np.sin(beta)
    M[0, 1] = M[1, 0] = -p.m*p.r*p.l*np.cos(beta)
    M[1, 1] = p.m*p.l**2
    return M
