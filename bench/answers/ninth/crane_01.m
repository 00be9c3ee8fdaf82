% generalized coordinates [x; theta; r], trolley mass M, load m
Mq = [M + m,          m*r*cos(theta), m*sin(theta);
      m*r*cos(theta), m*r^2,          0;
      m*sin(theta),   0,              m];
h = [2*m*dr*dtheta*cos(theta) - m*r*dtheta^2*sin(theta);
     2*m*r*dr*dtheta;
     -m*r*dtheta^2];
G = [0; m*g*r*sin(theta); -m*g*cos(theta)];
