import numpy as np
from numpy import sin, cos

class Acrobot:
    m1 = 1.0; m2 = 1.0; l1 = 1.0; lc1 = 0.5; lc2 = 0.6; I1 = 0.2; I2 = 0.3; g = 9.81

def inverse_dynamics(q1, q2, dq1, dq2, ddq1, ddq2):
    tau1 = (I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)))*ddq1 + (I2 + m2*(lc2**2 + l1*lc2*cos(q2)))*ddq2 - m2*l1*lc2*sin(q2)*(2*dq1*dq2 + dq2**2) + (m1*lc1 + m2*l1)*g*sin(q1) + m2*lc2*g*sin(q1 + q2)
    tau2 = (I2 + m2*(lc2**2 + l1*lc2*cos(q2)))*ddq1 + (I2 + m2*lc2**2)*ddq2 + m2*l1*lc2*sin(q2)*(dq1**2 + dq1*dq2) + m2*lc2*g*sin(q1 + q2)
    return tau1, tau2
