from sympy import *
M11, M12, M22 = symbols('M11 M12 M22')
M = Matrix([[M11, M12], [M12, M22]])
