# β counts from upright; α̇, α̈, β̈ are velocities and accelerations
τ2(β, α̇, α̈, β̈; m, r, l, g) = -m*r*l*cos(β)*α̈ + m*l^2*β̈ - m*l^2*sin(2β)*α̇^2 - m*g*l*sin(β)
