# z: height of the lift, φ: angle of the arm above the horizontal, J about the arm's centre of mass
function efforts(z, φ, ż, φ̇, z̈, φ̈, p)
    (; m1, m2, e, J, g) = p
    τ1 = (m1 + m2)*(z̈ + g) + m2*e*(cos(φ)*φ̈ + sin(φ)*φ̇^2)
    τ2 = J*φ̈ + m2*e*cos(φ)*(z̈ + g)
    return τ1, τ2
end
