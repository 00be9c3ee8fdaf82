# pan: psi, tilt: theta
h := Vector([2*(Ix - Iz - m*e^2)*sin(theta)*cos(theta)*psidot*thetadot,
            -(Ix - Iz - m*e^2)*sin(theta)*cos(theta)*psidot^2]);
G := Vector([0, m*g*e*cos(theta)]);
