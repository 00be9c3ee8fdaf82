import numpy as np
def M(q, J0, m, r, l):
    beta, alpha = q[0], q[1]
    return np.array([[J0 + m*r**2 + m*l**2*np.sin(beta)**2, -m*r*l*np.cos(beta)],
                     [-m*r*l*np.cos(beta), m*l**2]])
