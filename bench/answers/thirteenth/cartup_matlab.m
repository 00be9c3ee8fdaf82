% cart-pole, theta measured from the upright position
M = @(theta) [mc + mp,          mp*l*cos(theta);
              mp*l*cos(theta),  mp*l^2];
h = @(theta, thetad) [-mp*l*sin(theta)*thetad^2; 0];
G = @(theta) [0; -mp*g*l*sin(theta)];
