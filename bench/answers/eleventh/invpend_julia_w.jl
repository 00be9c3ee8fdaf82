function massmatrix(q, p)
    θ = q[2]
    return [p.M + p.m          p.m*p.l*cos(θ)
            p.m*p.l*cos(θ)     p.I]
end

coriolis(q, qd, p) = [-p.m*p.l*sin(q[2])*qd[2]^2, 0.0]

gravity(q, p) = [0.0, -p.m*p.g*p.l*sin(q[2])]
