M = diag([m1+m2+m3, m2+m3, m3]);
C = zeros(3);
G = [0; 0; m3*g];
