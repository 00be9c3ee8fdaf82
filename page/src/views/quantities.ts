// The quantities of the equations in their groups, and the routes by which they are derived.
export const GROUPS: Record<string, string[]> = {
  motion: ["M", "C", "G", "h", "tau"],
  parts: ["christoffel", "B", "C2"],
  energies: ["K", "P"],
  places: ["T", "T_tool", "J", "J_tool"],
};
export const ALL = Object.values(GROUPS).flat();
export const LETTERS: Record<string, string> = { christoffel: "Γ", C2: "C₂", tau: "τ", T_tool: "T tool", J_tool: "J tool" };
export const ROUTES = ["composite", "newton_euler", "dh4x4", "com_jacobian", "screw", "energy"];
