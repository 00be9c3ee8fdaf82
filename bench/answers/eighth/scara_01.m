% SCARA, q = [q1 q2 d3], d3 positive downwards
k1 = I1 + I2 + I3 + m1*r1^2 + m2*(a1^2 + r2^2) + m3*(a1^2 + a2^2);
k2 = I2 + I3 + m2*r2^2 + m3*a2^2;
k3 = a1*(m2*r2 + m3*a2);

tau1 = (k1 + 2*k3*cos(q2))*qdd1 + (k2 + k3*cos(q2))*qdd2 ...
       - k3*sin(q2)*(2*qd1*qd2 + qd2^2);
tau2 = (k2 + k3*cos(q2))*qdd1 + k2*qdd2 + k3*sin(q2)*qd1^2;
tau3 = m3*(d3dd - g);
