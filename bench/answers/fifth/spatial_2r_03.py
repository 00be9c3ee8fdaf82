import numpy as np

def torque(q1, q2, w1, w2, a1, a2, m1=10., m2=10., Ia=5., L=2., g=9.81):
    """w = rates, a = accelerations; gravity acts along +x0."""
    r = L + L/2*np.cos(q2)                      # radius of the second centre of mass
    M11 = m1*L**2/4 + Ia + m2*(L + L/2*np.cos(q2))**2 + Ia*np.cos(q2)**2 + Ia/2*np.sin(q2)**2
    M22 = m2*L**2/4 + Ia
    D = -m2*r*L*np.sin(q2) - Ia*np.sin(q2)*np.cos(q2)      # dM11/dq2
    tau1 = M11*a1 + D*w1*w2 + g*np.sin(q1)*(m1*L/2 + m2*r)
    tau2 = M22*a2 - D*w1**2/2 + m2*g*L/2*np.cos(q1)*np.sin(q2)
    return np.array([tau1, tau2])
