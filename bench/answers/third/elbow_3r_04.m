s2 = sin(q(2)); c2 = cos(q(2));
s3 = sin(q(3)); c23 = cos(q(2)+q(3));
A = l1*c2 + r2*c23;
M(1,1) = Iz1 + Iy2*s2^2 + Iz2*c2^2 + m2*r1^2*c2^2 + Iy3*s3^2 + Iz3*c23^2 + m3*A^2;
M(3,3) = Ix3 + m3*r2^2;
