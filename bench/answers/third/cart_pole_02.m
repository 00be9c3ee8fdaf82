M = [mc+mp,            mp*l*cos(theta);
     mp*l*cos(theta),  mp*l^2];
C = [0,  mp*l*thetad*sin(theta);
     0,  0];
G = [0; mp*g*l*sin(theta)];
