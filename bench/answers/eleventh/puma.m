function [M, G] = puma3(q, m2, m3, a2, a3, d, I1, g)
c2 = cos(q(2)); s2 = sin(q(2));
c23 = cos(q(2)+q(3)); s23 = sin(q(2)+q(3));
c3 = cos(q(3));
M = zeros(3);
M(1,1) = I1 + (m2+m3)*d^2 + m2*a2^2*c2^2 + m3*(a2*c2 + a3*c23)^2;
M(1,2) = d*((m2+m3)*a2*s2 + m3*a3*s23);
M(1,3) = m3*d*a3*s23;
M(2,2) = (m2+m3)*a2^2 + m3*a3^2 + 2*m3*a2*a3*c3;
M(2,3) = m3*a3^2 + m3*a2*a3*c3;
M(3,3) = m3*a3^2;
M(2,1) = M(1,2);  M(3,1) = M(1,3);  M(3,2) = M(2,3);
G = [0; (m2+m3)*g*a2*c2 + m3*g*a3*c23; m3*g*a3*c23];
end
