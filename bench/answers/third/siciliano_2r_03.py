from sympy import Matrix, sin, symbols
m2, a1, l2 = symbols("m2 a1 l2")
theta2, dtheta1, dtheta2 = symbols("theta2 dtheta1 dtheta2")
h = -m2*a1*l2*sin(theta2)
C = Matrix([[h*dtheta2, h*(dtheta1 + dtheta2)],
            [-h*dtheta1, 0]])
