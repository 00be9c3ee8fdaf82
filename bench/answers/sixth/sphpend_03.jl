# θ from straight down, φ around the vertical
K(θ, θ̇, φ̇) = m*l^2/2*(θ̇^2 + sin(θ)^2*φ̇^2)
P(θ) = -m*g*l*cos(θ)
