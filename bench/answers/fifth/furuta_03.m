%% lumped parameters of the rotary pendulum
a = J1 + m1*l1^2 + m2*L1^2;
b = J2 + m2*l2^2;
c = m2*L1*l2;
d = m2*g*l2;

%% joint torques, th2 = 0 hangs down
tau1 = (a + b*sin(th2)^2)*ddth1 + c*cos(th2)*ddth2 ...
     + 2*b*sin(th2)*cos(th2)*dth1*dth2 - c*sin(th2)*dth2^2;
tau2 = c*cos(th2)*ddth1 + b*ddth2 - b*sin(th2)*cos(th2)*dth1^2 + d*sin(th2);
