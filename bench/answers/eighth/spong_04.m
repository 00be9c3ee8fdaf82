function [D, C, g_vec] = planar_elbow(q, dq, m1, m2, l1, lc1, lc2, I1, I2, g)
% dynamics of the two link planar elbow arm
c2 = cos(q(2));
s2 = sin(q(2));

d11 = m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*c2) + I1 + I2;
d12 = m2*(lc2^2 + l1*lc2*c2) + I2;
d22 = m2*lc2^2 + I2;
D = [d11, d12; d12, d22];

h = -m2*l1*lc2*s2;
C = [h*dq(2), h*(dq(1) + dq(2)); ...
     -h*dq(1), 0];

% weight of both links
phi2 = m2*lc2*g*cos(q(2));
phi1 = (m1*lc1 + m2*l1)*g*cos(q(1)) + phi2;
g_vec = [phi1; phi2];
end
