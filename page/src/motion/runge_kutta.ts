// The classical Runge-Kutta method of fourth order, without a new array on the way.

/** Writes the rates of a state `x` at time `t` into `out`; `p` are parameters. */
export type Rates = (t: number, x: Float64Array, p: Float64Array, out: Float64Array) => unknown;

export class RungeKutta {
  private readonly rates: Rates;
  private readonly between: Float64Array;
  private readonly k: [Float64Array, Float64Array, Float64Array, Float64Array];

  constructor(rates: Rates, size: number) {
    const fresh = () => new Float64Array(size);
    this.rates = rates;
    this.between = fresh();
    this.k = [fresh(), fresh(), fresh(), fresh()];
  }

  /** Moves a state on by a step of `h` seconds. */
  step(t: number, x: Float64Array, p: Float64Array, h: number): void {
    const [a, b, c, d] = this.k, y = this.between, { rates } = this;
    rates(t, x, p, a);
    for (let i = 0; i < y.length; i++) y[i] = x[i]! + 0.5 * h * a[i]!;
    rates(t + 0.5 * h, y, p, b);
    for (let i = 0; i < y.length; i++) y[i] = x[i]! + 0.5 * h * b[i]!;
    rates(t + 0.5 * h, y, p, c);
    for (let i = 0; i < y.length; i++) y[i] = x[i]! + h * c[i]!;
    rates(t + h, y, p, d);
    for (let i = 0; i < y.length; i++) x[i] = x[i]! + (h / 6) * (a[i]! + 2 * b[i]! + 2 * c[i]! + d[i]!);
  }
}
