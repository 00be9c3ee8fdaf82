import numpy as np
M = np.diag([m1 + m2 + m3, m2 + m3, m3])
C = np.zeros((3, 3))
G = np.array([0, 0, m3])
