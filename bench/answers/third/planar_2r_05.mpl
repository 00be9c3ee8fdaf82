# second joint's torque
tau2 := (I2zz + m2*(l2^2/4 + l1*l2*cos(q2(t))/2))*diff(q1(t),t,t)
      + (I2zz + m2*l2^2/4)*diff(q2(t),t,t)
      + m2*l1*l2*sin(q2(t))*diff(q1(t),t)^2/2
      + m2*g*l2*cos(q1(t)+q2(t))/2;
