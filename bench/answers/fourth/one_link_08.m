% q1 in rad (from the encoder)
tau1 = m*l^2*qdd1 + m*g*l*cos(q1*pi/180);
