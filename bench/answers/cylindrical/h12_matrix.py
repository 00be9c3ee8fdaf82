import numpy as np
M = np.diag([J + m3*r**2, m2 + m3, m3])
h = np.array([2*m3*r*rd*thetad, 0, -m3*r*thetad**2])
G = np.array([0, (m2 + m3)*g, 0])
