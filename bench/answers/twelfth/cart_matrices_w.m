mc = 1; mp = 0.2; l = 0.5; g = 9.81;
M = @(q) [mc+mp, mp*l*cos(q(2)); mp*l*cos(q(2)), mp*l^2];
C = @(q,qd) [0, mp*l*sin(q(2))*qd(2); 0, 0];
G = @(q) [0; mp*g*l*sin(q(2))];
