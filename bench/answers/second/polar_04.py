def dynamics(theta, r, thetad, rd):
    M = np.zeros((2, 2))
    M[0, 0] = J + m*r**2
    M[1, 1] = m
    C = np.zeros((2, 2))
    C[0, 0] = m*r*rd
    C[0, 1] = m*r*thetad
    C[1, 0] = -m*r*thetad
    G = np.array([m*g*r*np.sin(theta), m*g*np.cos(theta)])
    return M, C, G
