# kinetic and potential energy of the cart with the inverted pendulum (theta from upright)
K := 1/2*(mc + mp)*xdot^2 + mp*l*xdot*thetadot*sin(theta) + 1/2*mp*l^2*thetadot^2;
P := mp*g*l*cos(theta);
