> restart;
> th1 := theta1(t): th2 := theta2(t):
> tau1 := m2*l2^2*(diff(th1,t,t)+diff(th2,t,t)) + m2*l1*l2*cos(th2)*(2*diff(th1,t,t)+diff(th2,t,t))
>   + (m1+m2)*l1^2*diff(th1,t,t) - m2*l1*l2*sin(th2)*diff(th2,t)^2
>   - 2*m2*l1*l2*sin(th2)*diff(th1,t)*diff(th2,t)
>   + m2*l2*g*cos(th1+th2) + (m1+m2)*l1*g*cos(th1);
> tau2 := m2*l1*l2*cos(th1)*diff(th1,t,t) + m2*l1*l2*sin(th2)*diff(th1,t)^2
>   + m2*l2*g*cos(th1+th2) + m2*l2^2*(diff(th1,t,t)+diff(th2,t,t));
