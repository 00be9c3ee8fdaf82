import numpy as np
c, s = np.cos, np.sin

def M(th):
    a = Iz1 + Iz2 + m1*r1**2 + m2*(l1**2 + r2**2)
    b = m2*l1*r2
    d = Iz2 + m2*r2**2
    return np.array([[a + 2*b*c(th[1]), d + b*c(th[1])],
                     [d + b*c(th[1]), d]])

def C(th, thd):
    b = m2*l1*r2
    return np.array([[-b*s(th[1])*thd[1], -b*s(th[1])*(thd[0] + thd[1])],
                     [b*s(th[1])*thd[0], 0.0]])

def skew_error(th, thd, eps=1e-6):
    Mdot = (M(th + eps*thd) - M(th - eps*thd)) / (2*eps)
    N = Mdot - 2*C(th, thd)
    return np.abs(N + N.T).max()
