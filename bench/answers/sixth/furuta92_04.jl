K = (J0 + m*r^2 + m*l^2*sin(beta)^2)*dalpha^2/2 - m*r*l*cos(beta)*dalpha*dbeta + m*l^2*dbeta^2/2
P = m*g*l*cos(beta)
