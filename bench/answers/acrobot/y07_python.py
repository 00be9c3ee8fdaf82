def manipulator(q, v):
    s1, s12 = np.sin(q[0]), np.sin(q[0] + q[1])
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    M = np.array([[I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*c2), I2 + m2*(lc2**2 + l1*lc2*c2)],
                  [I2 + m2*(lc2**2 + l1*lc2*c2), I2 + m2*lc2**2]])
    C = np.array([[-2*m2*l1*lc2*s2*v[1], -m2*l1*lc2*s2*v[1]], [m2*l1*lc2*s2*v[0], 0]])
    tau_g = np.array([-(m1*lc1 + m2*l1)*g*s1 - m2*g*lc2*s12, -m2*g*lc2*s12])
    return M, C, tau_g
