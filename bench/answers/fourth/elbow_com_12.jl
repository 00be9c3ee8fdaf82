h(q, v) = m2*l1*lc2*sin(q[2]) .* [-(2v[1]*v[2] + v[2]^2), v[1]]
G(q) = [(m1*lc1 + m2*l1)*g*cos(q[1]) + m2*lc2*g*cos(q[1] + q[2]), m2*lc2*g*cos(q[1] + q[2])]
