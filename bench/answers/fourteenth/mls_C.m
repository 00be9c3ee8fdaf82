alpha = Iz1 + Iz2 + m1*r1^2 + m2*(l1^2 + r2^2);
beta  = m2*l1*r2;
delta = Iz2 + m2*r2^2;
M = [alpha + 2*beta*cos(theta2), delta + beta*cos(theta2);
     delta + beta*cos(theta2),   delta];
C = [-beta*sin(theta2)*dtheta2,  -beta*sin(theta2)*(dtheta1 + dtheta2);
     -beta*sin(theta2)*dtheta1,   0];
