% state: x, theta, xd, thetad;  input F
A = M + m;  B = m*l*cos(theta);  D = I + m*l^2;
r1 = F - b*xd - k*x + m*l*sin(theta)*thetad^2;
r2 = -c*thetad - m*g*l*sin(theta);
xdd     = (D*r1 - B*r2)/(A*D - B^2);
thetadd = (A*r2 - B*r1)/(A*D - B^2);
