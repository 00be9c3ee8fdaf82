with(LinearAlgebra):
M := Matrix([[m1 + m2, -m2*a*sin(phi)], [-m2*a*sin(phi), I2 + m2*a^2]]);
h := Vector([-m2*a*cos(phi)*phid^2, 0]);
