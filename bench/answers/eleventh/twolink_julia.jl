using LinearAlgebra

# two uniform rods, equal length l
function twolink!(du, u, p, t)
    q1, q2, dq1, dq2 = u
    m1, m2, l, g, τ = p
    M = l^2 * [m1/3 + 4m2/3 + m2*cos(q2)    m2/3 + m2/2*cos(q2)
               m2/3 + m2/2*cos(q2)          m2/3]
    h = [-m2*l^2*sin(q2)*dq2*(dq1 + dq2/2),
          m2*l^2*sin(q2)*dq1^2/2]
    G = [(m1/2 + m2)*g*l*cos(q1) + m2*g*l/2*cos(q1 + q2),
         m2*g*l/2*cos(q1 + q2)]
    du[1:2] .= u[3:4]
    du[3:4] .= M \ (τ .- h .- G)
    return nothing
end
