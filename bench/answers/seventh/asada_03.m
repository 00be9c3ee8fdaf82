function [p, J] = twolink_kin(theta1, theta2, l1, l2)
%TWOLINK_KIN  end point and Jacobian of the planar arm
%   theta1, theta2 ... joint angles [rad], p = [x; y], J = d p / d theta
x = l1*cos(theta1) + l2*cos(theta1 + theta2);
y = l1*sin(theta1) + l2*sin(theta1 + theta2);
p = [x; y];
J = [-l1*sin(theta1) - l2*sin(theta1 + theta2), -l2*sin(theta1 + theta2);
      l1*cos(theta1) + l2*cos(theta1 + theta2),  l2*cos(theta1 + theta2)];
end
