function dynamics(θ, φ, θ̇, φ̇, τ1, τ2, m, g, l)
    θ̈ = τ1/(m*l^2) + sin(θ)*cos(θ)*φ̇ - g/l*sin(θ)
    φ̈ = τ2/(m*l^2*sin(θ)^2) - 2*θ̇*φ̇*cos(θ)/sin(θ)
    return θ̈, φ̈
end
