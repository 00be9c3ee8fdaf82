import numpy as np

def rhs(t, state, f, mc=1.0, mp=0.2, l=0.5, g=9.81):
    '''state = [x, theta, xd, thetad], theta from hanging down'''
    x, theta, xd, thetad = state
    s, c = np.sin(theta), np.cos(theta)
    den = mc + mp*s**2
    xdd = (f + mp*s*(l*thetad**2 + g*c)) / den
    thetadd = (-f*c - mp*l*thetad**2*c*s - (mc + mp)*g*s) / den
    return np.array([xd, thetad, xdd, thetadd])
