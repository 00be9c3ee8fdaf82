# bob position and Jacobian
p(θ, ϕ) = [l*sin(θ)*cos(ϕ), l*sin(θ)*sin(ϕ), -l*cos(θ)]
J(θ, ϕ) = [l*cos(θ)*cos(ϕ)  -l*sin(θ)*sin(ϕ);
           l*cos(θ)*sin(ϕ)   l*sin(θ)*cos(ϕ);
           l*sin(θ)          0]
