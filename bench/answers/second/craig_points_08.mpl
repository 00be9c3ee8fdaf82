restart: with(LinearAlgebra):
# point masses at the ends of the links
M11 := m1*l1^2 + m2*(l1^2 + l2^2 + 2*l1*l2*cos(theta2)):
M12 := m2*(l2^2 + l1*l2*cos(theta2)):
M22 := m2*l2^2:
M := Matrix([[M11, M12], [M12, M22]]);
G := Vector([(m1 + m2)*g*l1*sin(theta1) + m2*g*l2*cos(theta1 + theta2), m2*g*l2*cos(theta1 + theta2)]);
