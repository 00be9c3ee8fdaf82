>> G

G =

            0
-g*l*m*sin(beta)

>> h

h =

l*m*(l*sin(2*beta)*alphad*betad + r*sin(beta)*betad^2)
0
