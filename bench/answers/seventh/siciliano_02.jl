# planar arm with motors, ϑ = (ϑ₁, ϑ₂) joint angles
# p has m1, m2, a1, a2 (lengths), l1, l2 (to the centres of mass), I1, I2, J1, J2 (motors), g
function inertia!(B, ϑ, p)
    c2 = cos(ϑ[2])
    B[1,1] = p.I1 + p.m1*p.l1^2 + p.J1 + p.I2 + p.m2*(p.a2^2 + p.l2^2 + 2*p.a1*p.l2*c2)
    B[1,2] = p.I2 + p.m2*(p.l2^2 + p.a1*p.l2*c2)
    B[2,1] = B[1,2]
    B[2,2] = p.I2 + p.m2*p.l2^2 + p.J2
    return B
end

function gravity!(G, ϑ, p)
    G[2] = p.m2*p.l2*p.g*cos(ϑ[1] + ϑ[2])
    G[1] = (p.m1*p.l1 + p.m2*p.a1)*p.g*cos(ϑ[1]) + G[2]
    return G
end
