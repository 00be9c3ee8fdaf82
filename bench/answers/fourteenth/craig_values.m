clear; clc
m1 = 4.6; m2 = 2.3; l1 = 0.5; l2 = 0.4; g = 9.81;
syms theta1 theta2 real
c1 = cos(theta1); c2 = cos(theta2); c12 = cos(theta1 + theta2);
M = [ (m1+m2)*l1^2 + m2*l2^2 + 2*m2*l1*l2*c2,  m2*l2^2 + m2*l1*l2*c2;
      m2*l2^2 + m2*l1*l2*c2,                   m2*l2^2 ];
G = [ (m1+m2)*l1*g*c1 + m2*l2*g*c12;
      m2*l2*g*c12 ];
