% geometric Jacobian of the tip, rows vx vy vz wx wy wz in the base frame
% the arm moves in the x0-z0 plane, its joint axes are -y0
J = [-l1*sin(q1) - l2*sin(q1+q2), -l2*sin(q1+q2);
     0, 0;
     l1*cos(q1) + l2*cos(q1+q2), l2*cos(q2);
     0, 0;
     -1, -1;
     0, 0];
