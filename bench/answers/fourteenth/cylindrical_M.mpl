with(LinearAlgebra):
# cylindrical robot: theta, h, r
M := Matrix([[J + m3*r^2, 0, 0],
             [0, m1 + m2 + m3, 0],
             [0, 0, m3]]);
G := Vector([0, (m2 + m3)*g, 0]);
