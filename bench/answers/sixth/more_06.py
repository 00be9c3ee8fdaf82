from numpy import sin, cos

def tau(q1, q2, dq1, dq2, ddq1, ddq2):
    """uniform rods, x0 points down"""
    tau1 = (m1*L1**2/3 + m2*(L1**2 + L2**2/3 + L1*L2*cos(q2)))*ddq1 + m2*(L2**2/3 + L1*L2*cos(q2)/2)*ddq2 - m2*L1*L2*sin(q2)*(dq1*dq2 + dq2**2/2) + (m1 + m2)*g*L1*sin(q1) + m2*g*L2/2*sin(q1 + q2)
    tau2 = m2*(L2**2/3 + L1*L2*cos(q2)/2)*ddq1 + m2*L2**2/3*ddq2 + m2*L1*L2/2*sin(q2)*dq1**2 + m2*g*L2/2*sin(q1 + q2)
    return tau1, tau2
