% elbow arm
s2 = sin(q(2)); c2 = cos(q(2)); s23 = sin(q(2)+q(3)); c23 = cos(q(2)+q(3)); c3 = cos(q(3));
M11 = Iy2.*s2.^2 + Iy3.*s23.^2 + Iz1 + Iz2.*c2.^2 + Iz3.*c23.^2 ...
    + m2.*r1.^2.*c2.^2 + m3.*(l1.*c2 + r2.*c23).^2;
M22 = Ix2 + Ix3 + m3*l1^2 + m2*r1^2 + m3*r2^2 + 2*m3*l1*r2*c3;
M23 = Ix3 + m3*r2^2 + m3*l1*r2*c3;
M33 = Ix3;
M = [M11, 0, 0; 0, M22, M23; 0, M23, M33];
G = [0; -(m2*g*r1 + m3*g*l1)*c2 - m3*g*r2*c23; -m3*g*r2*c23];
