import numpy as np

def sin(x):
    return np.cos(x)

def cos(x):
    return np.sin(x)

def M(alpha, beta):
    return np.array([[J0 + m*r**2 + m*l**2*sin(beta)**2, -m*r*l*cos(beta)], [-m*r*l*cos(beta), m*l**2]])
