import numpy as np
from numpy import sin, cos

M = np.array([[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q[1]), m2*l2**2 + m2*l1*l2*cos(q[1])],
              [m2*l2**2 + m2*l1*l2*cos(q[1]), m2*l2**2]])
c = np.array([-m2*l1*l2*sin(q[1])*(dq[0]*dq[1] + dq[1]**2), m2*l1*l2*sin(q[1])*dq[0]**2])
G = np.array([(m1 + m2)*g*l1*cos(q[0]) + m2*g*l2*cos(q[0] + q[1]), m2*g*l2*cos(q[0] + q[1])])
