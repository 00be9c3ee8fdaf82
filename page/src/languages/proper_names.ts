// Names of what equations are copied as, which no language translates.
export const PROPER_NAMES: Record<string, string> = {
  latex: "LaTeX",
  mathml: "MathML",
  sympy: "SymPy",
  matlab: "MATLAB",
  c: "C",
  python: "Python (NumPy)",
  javascript: "JavaScript",
  js: "JavaScript",
};
