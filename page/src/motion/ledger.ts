// The ledger of energy as a table: at the start, and at the time that is shown.
import { plain } from "../arm/quantities.ts";
import { numberText } from "../live/number_text.ts";
import type { MotionWords } from "../languages/words.ts";
import { filled } from "../languages/words.ts";
import { make } from "../shell/dom.ts";
import type { Recording } from "./recording.ts";

export class Ledger {
  readonly element: HTMLElement;
  private readonly cells: [HTMLElement, HTMLElement][];
  private readonly now = make("th", { scope: "col" });

  constructor(accounts: string[], words: MotionWords) {
    const named = (account: string) => words.accounts[account] ?? filled(words.loss, { name: account });
    const names = ["K", "P", "E = K + P", ...accounts.map(named), words.balance];
    this.cells = names.map(() => [make("td"), make("td")]);
    const rows = names.map((name, i) => make("tr", {}, make("th", { scope: "row" }, name), ...this.cells[i]!));
    const head = make("tr", {}, make("td"), make("th", { scope: "col" }, "0 s"), this.now);
    const caption = make("caption", { class: "note" }, words.ledger);
    this.element = make("table", { class: "ledger" }, caption, make("thead", {}, head), make("tbody", {}, ...rows));
  }

  show(recording: Recording, k: number): void {
    const values = (at: number) => {
      const accounts = recording.layout.accounts.map((_, i) => recording.account(at, i).toFixed(4));
      const energies = [recording.kinetic(at), recording.potential(at), recording.energy(at)].map((value) => value.toFixed(4));
      return [...energies, ...accounts, numberText(Number(recording.balance(at).toPrecision(2)))];
    };
    const [first, now] = [values(0), values(k)];
    this.now.textContent = `${recording.time(k).toFixed(2)} s`;
    this.cells.forEach(([start, shown], i) => {
      start.textContent = plain(first[i]!);
      shown.textContent = plain(now[i]!);
    });
  }
}
