clear; clc
m1 = 1.2; m2 = 0.8;            % kg
l1 = 0.6; lc1 = l1/2; lc2 = 0.25;
I1 = 0.04; I2 = 0.02; g = 9.81;
syms q1 q2 real
M11 = I1 + I2 + m1*lc1^2 + m2*l1^2 + m2*lc2^2 + 2*m2*l1*lc2*cos(q2);
M12 = I2 + m2*lc2^2 + m2*l1*lc2*cos(q2);
M22 = I2 + m2*lc2^2;
M = [M11, M12; M12, M22]
G = [m1*g*lc1*cos(q1) + m2*g*(l1*cos(q1) + lc2*cos(q1+q2)); m2*g*lc2*cos(q1+q2)]
