# Furuta pendulum
K := 1/2*(J1 + m1*l1^2 + m2*L1^2)*diff(theta1(t),t)^2
   + 1/2*(J2 + m2*l2^2)*(diff(theta2(t),t)^2 + sin(theta2(t))^2*diff(theta1(t),t)^2)
   + m2*L1*l2*cos(theta2(t))*diff(theta1(t),t)*diff(theta2(t),t);
P := m2*g*l2*(1 - cos(theta2(t)));
