from sympy import symbols, Matrix, sin, cos

q1, q2, q3, a2, a3, d = symbols('q1 q2 q3 a2 a3 d')
c1, s1 = cos(q1), sin(q1)
rho = a2*cos(q2) + a3*cos(q2 + q3)      # reach
eta = a2*sin(q2) + a3*sin(q2 + q3)      # height

p = Matrix([rho*c1 - d*s1, rho*s1 + d*c1, eta])

J = Matrix([[-rho*s1 - d*c1, -eta*c1, -a3*sin(q2 + q3)*c1],
            [ rho*c1 - d*s1, -eta*s1, -a3*sin(q2 + q3)*s1],
            [ 0,              rho,      a3*cos(q2 + q3)]])
