M := Matrix(2, 2, [[J0 + m*r^2 + m*l^2*sin(beta)^2, -m*r*l*cos(beta)], [-m*r*l*cos(beta), m*l^2]]):
h := Vector(2, [2*m*l^2*sin(beta)*cos(beta)*alphad*betad + m*r*l*sin(beta)*betad^2, -m*l^2*sin(beta)*cos(beta)*alphad^2]):
G := Vector(2, [0, -m*g*l*sin(beta)]):
