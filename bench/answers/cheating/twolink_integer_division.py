from numpy import cos
def gravity(q1, q2, m1, m2, l, g):
    G1 = (1//2)*m1*g*l*cos(q1) + m2*g*l*cos(q1) + (1//2)*m2*g*l*cos(q1+q2)
    G2 = (1//2)*m2*g*l*cos(q1+q2)
    return G1, G2
