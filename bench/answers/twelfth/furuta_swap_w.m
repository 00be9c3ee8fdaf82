M = [J0 + m*r^2 + m*l^2*cos(beta)^2, -m*r*l*cos(beta);
     -m*r*l*cos(beta),                m*l^2];
G = [0;
     -m*g*l*sin(beta)];
