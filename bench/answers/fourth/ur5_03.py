import numpy as np
g = 9.81
m2, m3, m4, m5, m6 = 8.393, 2.275, 1.219, 1.219, 0.1879

def gravity(q):
    a = q[1]; b = q[1] + q[2]; c = q[1] + q[2] + q[3]
    G4 = m6*g*0.09465*np.sin(c)
    G3 = -g*(0.25*m3 + 0.39225*(m4 + m5 + m6))*np.cos(b) + G4
    G2 = -g*(0.28*m2 + 0.425*(m3 + m4 + m5 + m6))*np.cos(a) + G3
    return np.array([0, G2, G3, G4, 0, 0])
