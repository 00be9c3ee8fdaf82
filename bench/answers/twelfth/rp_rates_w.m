syms q1 d2 dq1 dd2 m1 m2 l1 Izz1 Izz2 g
% dq1, dd2: velocities
M = [Izz1 + Izz2 + m1*l1^2 + m2*d2^2, 0; 0, m2];
h = [2*m2*d2*dq1; -m2*d2*dq1^2];
G = [(m1*l1 + m2*d2)*g*cos(q1); m2*g*sin(q1)];
