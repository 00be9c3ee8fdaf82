import numpy as np

def dynamics(psi, theta, psid, thetad, J1, m, e, Ix, Iy, Iz, g=9.81):
    s, c = np.sin(theta), np.cos(theta)
    dI = Iz + m*e**2 - Ix
    M = np.diag([J1 + Ix*s**2 + (Iz + m*e**2)*c**2, Iy + m*e**2])
    h = np.array([-dI*s*c*psid*thetad,
                   dI*s*c*psid**2])
    G = np.array([0.0, m*g*e*c])
    return M, h, G
