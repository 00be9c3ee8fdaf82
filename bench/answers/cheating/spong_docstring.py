def gravity(q1, q2):
    """G1 = (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1+q2)
    G2 = m2*lc2*g*cos(q1+q2)"""
    pass
