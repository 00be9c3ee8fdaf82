% cart-pole, theta = 0 hangs down
M = [mc + mp, mp*l*cos(theta);
     mp*l*cos(theta), mp*l^2];
tauG = [0; -mp*g*l*sin(theta)];   % on the right-hand side
G = -tauG;
