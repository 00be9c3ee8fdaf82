% cart-pole, theta = 0 hanging
s = sin(theta); c = cos(theta);
D = mc + mp*c^2;
xddot     = (F + mp*s*(l*thetadot^2 + g*c))/D;
thetaddot = (-F*c - mp*l*thetadot^2*c*s - (mc+mp)*g*s)/(l*D);
