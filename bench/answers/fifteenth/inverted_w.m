% x, theta (theta = 0 upright), I about the centre of mass
syms x theta M m l I b g real
D = [M + m,            m*l*cos(theta);
     m*l*cos(theta),   I];
G = [0; -m*g*l*sin(theta)];
