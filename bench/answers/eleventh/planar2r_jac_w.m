% tool of the arm in the x-z plane
syms q1 q2 l1 l2 real
p = [ l1*cos(q1) + l2*cos(q1+q2);
      0;
      l1*sin(q1) + l2*sin(q1+q2) ];

J = [ -l1*sin(q1) - l2*sin(q1+q2),  -l2*sin(q1+q2);
       0,                            0;
       l1*cos(q1) + l2*cos(q1+q2),   l2*cos(q2)     ];
