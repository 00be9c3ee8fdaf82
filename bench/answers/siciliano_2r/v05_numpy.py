from numpy import array, cos

def model(th, m1, m2, a1, l1, l2, I1, I2, J1, J2, g):
    c1, c2, c12 = cos(th[0]), cos(th[1]), cos(th[0] + th[1])
    b12 = I2 + m2*(l2**2 + a1*l2*c2)
    B = array([[I1 + m1*l1**2 + J1 + I2 + m2*(a1**2 + l2**2 + 2*a1*l2*c2), b12],
               [b12, I2 + m2*l2**2 + J2]])
    G = array([(m1*l1 + m2*a1)*g*c1 + m2*l2*g*c12, m2*l2*g*c12])
    return B, G
