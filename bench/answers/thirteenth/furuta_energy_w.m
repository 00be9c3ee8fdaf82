syms alpha beta dalpha dbeta J0 m r l g real
% velocity of the bob in the rotating frame of the arm
vx = l*sin(beta)*dalpha;
vy = - l*cos(beta)*dbeta;
vz = -l*sin(beta)*dbeta;
K = 1/2*J0*dalpha^2 + 1/2*m*(vx^2 + vy^2 + vz^2);
P = m*g*l*cos(beta);
