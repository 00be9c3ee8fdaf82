alpha = I1 + I2 + I3 + m1*r1^2 + m2*(a1^2 + r2^2) + m3*(a1^2 + a2^2);
beta  = (m2*r2 + m3*a2)*a1;
delta = I2 + I3 + m2*r2^2 + m3*a2^2;
M = [alpha+2*beta*cos(q2) delta+beta*cos(q2) 0
     delta+beta*cos(q2)   delta              0
     0                    0                  m3];
h = [-beta*sin(q2)*(2*qd1*qd2+qd2^2); beta*sin(q2)*qd1^2; 0];
G = [0; 0; m3*g];
