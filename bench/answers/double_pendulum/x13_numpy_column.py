import numpy as np
M = np.array([[(m1+m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*np.cos(q2), m2*l2**2 + m2*l1*l2*np.cos(q2)],
              [m2*l2**2 + m2*l1*l2*np.cos(q2), m2*l2**2]])
coriolis = np.array([[-m2*l1*l2*np.sin(q2)*(2*dq1*dq2 + dq2**2)],
                     [m2*l1*l2*np.sin(q2)*dq1**2]])
gravity = np.array([[(m1+m2)*g*l1*np.sin(q1) + m2*g*l2*np.sin(q1+q2)],
                    [m2*g*l2*np.sin(q1+q2)]])
