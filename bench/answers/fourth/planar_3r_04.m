Jv = [-a1*sin(q1)-a2*sin(q1+q2)-a3*sin(q1+q2+q3), -a2*sin(q1+q2)-a3*sin(q1+q2+q3), -a3*sin(q1+q2+q3);
       a1*cos(q1)+a2*cos(q1+q2)+a3*cos(q1+q2+q3),  a2*cos(q1+q2),  a3*cos(q1+q2+q3);
       0, 0, 0];
