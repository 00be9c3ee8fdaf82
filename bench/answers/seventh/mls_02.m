% SCARA: th1..th3 turn about vertical axes, th4 slides upward
% w = joint velocities, dw = joint accelerations
alpha = I1 + m1*r1^2 + (m2 + m3 + m4)*l1^2;
beta  = I2 + I3 + I4 + m2*r2^2 + (m3 + m4)*l2^2;
gam   = m2*l1*r2 + (m3 + m4)*l1*l2;
delta = I3 + I4;

tau1 = (alpha + beta + 2*gam*cos(th2))*dw1 + (beta + gam*cos(th2))*dw2 + delta*dw3 ...
       - gam*sin(th2)*(2*w1*w2 + w2^2);
tau4 = m4*dw4;
