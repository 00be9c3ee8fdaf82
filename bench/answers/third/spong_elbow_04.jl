τ₁ = (m₁*lc₁^2 + I₁ + I₂ + m₂*(l₁^2 + lc₂^2 + 2l₁*lc₂*cos(q₂)))*q̈₁ + (I₂ + m₂*(lc₂^2 + l₁*lc₂*cos(q₂)))*q̈₂ - m₂*l₁*lc₂*sin(q₂)*(2q̇₁*q̇₂ + q̇₂^2) + (m₁*l₁ + m₂*l₁)*g*cos(q₁) + m₂*lc₂*g*cos(q₁ + q₂)
τ₂ = (I₂ + m₂*(lc₂^2 + l₁*lc₂*cos(q₂)))*q̈₁ + (I₂ + m₂*lc₂^2)*q̈₂ + m₂*l₁*lc₂*sin(q₂)*q̇₁^2 + m₂*lc₂*g*cos(q₁ + q₂)
