> restart: with(LinearAlgebra):
> # gravity along +x0, centres of mass at L/2, q1 and q2 as in the figure
> G := Vector([ g*L*(m1/2 + m2 + m2*cos(q2)/2)*sin(q1),
>               m2*g*L/2*sin(q1 + q2) ]);
