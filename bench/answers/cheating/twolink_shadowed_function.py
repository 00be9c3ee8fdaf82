import numpy as np

def sin(x):
    return np.cos(x)

def cos(x):
    return np.sin(x)

def M(q1, q2):
    return np.array([[m1*l**2/3 + 4*m2*l**2/3 + m2*l**2*cos(q2), m2*l**2/3 + m2*l**2*cos(q2)/2], [m2*l**2/3 + m2*l**2*cos(q2)/2, m2*l**2/3]])
