function G = grav(q)
% q = [q1 q2 q3], angles upward from the horizontal
global m2 m3 a2 lc2 lc3 g
G = zeros(3,1);
G(2) = (m2*lc2 + m3*lc2)*g*cos(q(2)) + m3*g*lc3*cos(q(2) + q(3));
G(3) = m3*g*lc3*cos(q(2) + q(3));
end
