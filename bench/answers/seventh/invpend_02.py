import numpy as np

def rhs(t, z, u, M, m, b, I, l, g=9.81):
    """z = [x, theta, xdot, thetadot]; theta from upright; u is the force on the cart, no torque at the pivot."""
    x, theta, xd, thd = z
    s, c = np.sin(theta), np.cos(theta)
    D = (M + m)*(I + m*l**2) - (m*l*c)**2
    xdd = ((I + m*l**2)*(u - b*xd + m*l*thd**2*s) - m**2*l**2*g*s*c) / D
    thdd = (M*m*g*l*s - m*l*c*(u - b*xd + m*l*thd**2*s)) / D
    return np.array([xd, thd, xdd, thdd])
