% overhead crane  q = [x; theta; r]
Mq = [ M+m,             m*r*cos(theta),  m*cos(theta);
       m*r*cos(theta),  m*r^2,           0;
       m*cos(theta),    0,               m ];
Gq = [ 0;  m*g*r*sin(theta);  -m*g*cos(theta) ];
