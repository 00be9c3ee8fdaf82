import numpy as np
from scipy.integrate import solve_ivp

mc, mp, l, g = 1.0, 0.2, 0.5, 9.81

def rhs(t, y, u=lambda t: 0.0):
    x, theta, xd, thetad = y
    s, c = np.sin(theta), np.cos(theta)
    M = np.array([[mc + mp, mp * l * c],
                  [mp * l * c, mp * l**2]])
    h = np.array([-mp * l * s * thetad**2, 0.0])
    G = np.array([0.0, mp * g * l * s])
    tau = np.array([u(t), 0.0])
    qdd = np.linalg.solve(M, tau - h - G)
    return [xd, thetad, *qdd]

sol = solve_ivp(rhs, (0, 10), [0, 3.0, 0, 0], max_step=0.01)
