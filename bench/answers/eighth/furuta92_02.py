from sympy import symbols, sin, cos

alpha, beta, alphad, betad, alphadd, betadd = symbols('alpha beta alphad betad alphadd betadd')
J0, m, r, l, g = symbols('J0 m r l g')

tau1 = (J0 + m*r**2 + m*l**2*sin(beta)**2)*alphadd - m*r*l*cos(beta)*betadd \
    + 2*m*l**2*sin(beta)*cos(beta)*alphad*betad + m*r*l*sin(beta)*betad**2
tau2 = -m*r*l*cos(beta)*alphadd + m*l**2*betadd - m*l**2*cos(beta)**2*alphad**2 - m*g*l*sin(beta)
