%% gantry crane, three sliding axes
Mass = diag([m1+m2+m3, m1+m2, m3]);
Grav = [0; 0; m3*g];
