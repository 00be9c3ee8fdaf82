function [M, C] = telescope(q, qd, J, m)
% q = [theta; r],  M*qdd + C*qd + G = tau
r = q(2);
M = [J + m*r^2, 0; 0, m];
C = [2*m*r*qd(2), 2*m*r*qd(1); -m*r*qd(1), 0];
end
