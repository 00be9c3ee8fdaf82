%% Rotary pendulum (Cazzolato & Prime symbols), theta2 = 0 hanging
J1h = J1 + m1*l1^2;
J2h = J2 + m2*l2^2;
J0h = J1h + m2*L1^2;

M = [J0h + J2h*sin(theta2)^2,   m2*L1*l2*cos(theta2);
     m2*L1*l2*cos(theta2),      J2h];

h = [ J2h*sin(2*theta2)*thetad1*thetad2 - m2*L1*l2*sin(theta2)*thetad2^2;
     -J2h/2*sin(2*theta2)*thetad1^2 ];

G = [0; m2*g*l2*sin(theta2)];
