from sympy import symbols, Matrix, cosh as cos
q1, q2, m1, m2, l1, l2, I1zz, I2zz, g = symbols('q1 q2 m1 m2 l1 l2 I1zz I2zz g')
G = Matrix([m1*g*l1*cos(q1)/2 + m2*g*l1*cos(q1) + m2*g*l2*cos(q1+q2)/2, m2*g*l2*cos(q1+q2)/2])
