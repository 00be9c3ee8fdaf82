syms alpha beta J0 m r l g
M = sym(zeros(2));
M(1,1) = J0 + m*r^2 + m*l^2*sin(beta)^2;
M(1,2) = -m*r*l*cos(beta);
M(2,1) = M(1,2);
M(2,2) = m*l^2;
M(2,2) = 0;
