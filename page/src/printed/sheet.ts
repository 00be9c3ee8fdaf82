// A sheet to print: the arm with its picture and tables, its equations, and the certificate.
import { filled } from "../languages/words.ts";
import type { Equations } from "../messages.ts";
import { make, mathematics } from "../shell/dom.ts";
import type { Session } from "../shell/session.ts";
import { EquationList } from "../views/equation_list.ts";
import { certificateRows, sentenceOf } from "../views/proof.ts";
import { readTables } from "../views/read_tables.ts";
import { pictureOf } from "./picture.ts";

const PRINTED = ["M", "C", "G"];
const MOST = 400; // terms of a quantity, which fill two pages

/** Prints a sheet of the robot that is open, under a title. Throws what Python throws. */
export async function printSheet(session: Session, title: string): Promise<void> {
  const sheet = make("article", { class: "sheet-of-paper" });
  const end = () => {
    document.body.classList.remove("printing");
    sheet.remove();
  };
  document.querySelector(".sheet-of-paper")?.remove();
  document.body.append(sheet); // laid out as wide as paper, so that matrices know whether they fit
  try {
    await fill(sheet, session, title);
  } catch (error) {
    end();
    throw error;
  }
  document.body.classList.add("printing");
  window.addEventListener("afterprint", end, { once: true }); // some browsers go on before the paper is there
  window.print();
}

async function fill(sheet: HTMLElement, session: Session, title: string): Promise<void> {
  const { robot, written, words, lang, python } = session, { printed, equations } = words;
  const proof = await python.ask("prove", { ...written, routes: null, lang }, { topic: "print" });
  const name = (id: string) => filled(printed.quantity, { name: equations.names[id]!, letter: session.letter(id) });
  const parts = await Promise.all(PRINTED.map(async (id) => [make("h2", {}, name(id)), ...(await quantity(session, id))]));
  const how = filled(printed.how, { form: equations.forms[formOf(session)], route: equations.routes[session.route] ?? "" });
  const picture = await pictureOf(session.examined!.arm, session.pose, sheet).catch(() => null);
  sheet.replaceChildren(
    make("h1", {}, title),
    make("p", { class: "note" }, [robot.title ? robot.name : "", robot.source, how].filter(Boolean).join(" · ")),
    make("div", { class: "arm-on-paper" }, picture, make("div", {}, ...readTables(session))),
    ...parts.flat(),
    make("h2", {}, printed.certificate),
    make("p", { class: proof.holds ? "holds" : "fails" }, sentenceOf(proof, equations)),
    make("table", { class: "read certificate" }, ...certificateRows(proof)),
    make("p", { class: "note" }, filled(printed.made, { hash: session.examined!.hash })));
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame); // until matrices that do not fit have become lists
}

const formOf = (session: Session) => (session.robot.equations ? "normal" : session.form);

async function quantity(session: Session, id: string): Promise<HTMLElement[]> {
  const { written, route, words, python } = session, asked = { ...written, route, form: formOf(session), name: id } as const;
  const found = await python.ask("equations", asked, { topic: `print ${id}` });
  if (!found.terms) return [make("p", {}, words.equations.zero)];
  if (found.terms > MOST) return [make("p", { class: "note" }, filled(words.printed.tooLong, { terms: found.terms }))];
  const missing = found.equations.flatMap((each, k) => (each.terms ? [] : [k]));
  const rest = missing.length ? await python.ask("more", { ...asked, numbers: missing }) : [];
  const whole = found.equations.map((each, k) => (missing.includes(k) ? rest[missing.indexOf(k)]! : each));
  const main = new EquationList(whole, words, {}, found.matrix).element;
  return [main, ...meanings(found, words.equations.here, session)];
}

/** What the constants and short names mean, on one line. */
function meanings(found: Equations, here: string, session: Session): HTMLElement[] {
  const listed = [...found.constants, ...found.legend];
  if (!listed.length) return [];
  const parts = listed.flatMap((each, k) => [
    ...(k ? [session.words.comma] : []), make("span", { class: "meaning" }, mathematics(each.left), ...(each.terms ?? []).map((term) => mathematics(term))),
  ]);
  return [make("p", { class: "meanings" }, `${here} `, ...parts)];
}
