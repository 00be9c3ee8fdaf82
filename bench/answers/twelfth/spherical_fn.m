syms theta phi thetad phid m l g real
k = m*l^2*sin(theta)*cos(theta);
M = [m*l^2, 0; 0, m*l^2*sin(theta)^2];
C = [0, -k*phid; k*phid, k*thetad];
G = [m*g*l*sin(theta); 0];
% check: Mdot - 2C must be skew
