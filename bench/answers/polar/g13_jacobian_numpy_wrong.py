import numpy as np

def jacobian(theta, r):
    J = np.array([[-r*np.sin(theta), np.cos(theta)],
                  [ np.cos(theta), np.sin(theta)]])
    return J
