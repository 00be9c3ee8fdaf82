function [D, C, phi] = elbow_dyn(q, qd, p)
% ELBOW_DYN  inertia matrix, Coriolis matrix and gravity vector, planar elbow arm
    m1 = p.m1;  m2 = p.m2;  l1 = p.l1;
    lc1 = p.lc1;  lc2 = p.lc2;  I1 = p.I1;  I2 = p.I2;  g = p.g;

    q1 = q(1);  q2 = q(2);

    a = I1 + I2 + m1*lc1^2 + m2*(l1^2 + lc2^2);
    b = m2*l1*lc2;
    d = I2 + m2*lc2^2;

    D = [ a + 2*b*cos(q2),  d + b*cos(q2) ;
          d + b*cos(q2),    d             ];

    h = b*sin(q2);
    C = [ -h*qd(2),  -h*(qd(1) + qd(2)) ;
           h*qd(1),   0                 ];

    phi = g*[ (m1*lc1 + m2*l1)*cos(q1) + m2*lc2*cos(q1 + q2) ;
              m2*lc2*cos(q1 + q2) ];
end
