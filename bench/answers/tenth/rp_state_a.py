import numpy as np

def rhs(t, x, tau1, tau2, p):
    m1, m2, Izz1, Izz2, l1, g = p
    q1, d2, q1d, d2d = x
    q1dd = (tau1 - 2*m2*d2*q1d*d2d - (m1*l1 + m2*d2)*g*np.cos(q1))/(Izz1 + Izz2 + m1*l1**2 + m2*d2**2)
    d2dd = tau2/m2 + d2*q1d**2 - g*np.sin(q1)
    return [q1d, d2d, q1dd, d2dd]
