import numpy as np

# holding torque at q1 = 30 deg, q2 = 45 deg
m1, m2, l1, lc1, lc2, g = 1.2, 0.8, 0.6, 0.3, 0.25, 9.81
q1, q2 = 30, 45

tau2 = m2*lc2*g*np.cos(q1 + q2)
tau1 = (m1*lc1 + m2*l1)*g*np.cos(q1) + m2*lc2*g*np.cos(q1 + q2)
print(tau1, tau2)
