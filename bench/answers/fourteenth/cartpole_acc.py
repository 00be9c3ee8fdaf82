import numpy as np

def f(x, theta, xdot, thetadot, F, mc, mp, l, g=9.81):
    """cart-pole, theta = 0 hanging down"""
    s, c = np.sin(theta), np.cos(theta)
    xddot = (F + mp*s*(l*thetadot**2 + g*c)) / (mc + mp*s**2)
    thetaddot = (-F*c - mp*l*thetadot**2*c*s - (mc + mp)*g*s) / (l*(mc + mp*s**2))
    return xddot, thetaddot
