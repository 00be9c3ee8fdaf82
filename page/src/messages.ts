// What the page asks of Python, and what Python answers: plain data in and out.

/** The content of a robot file, as it is edited: expressions are texts. */
export interface Description {
  name?: string;
  title?: string;
  source?: string;
  convention?: string;
  gravity?: Cell[];
  coordinates?: string[];
  driven?: string[];
  symbols?: Record<string, SymbolRow>;
  base?: Json;
  link: LinkRow[];
  tool?: Json;
  equations?: Json;
}
export type Cell = string | number;
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type SymbolRow = { value?: Cell; tolerance?: Cell; unit?: string; meaning?: string };
export type LinkRow = { [key: string]: Json };
/** Where a cell stands in a description: ["link", 0, "mass"]. */
export type Place = (string | number)[];

/** An arm as a 3-D view draws it. A link's frame is at placement · motion(q) · offset in its parent's (SI units). */
export interface DrawnArm {
  coordinates: { name: string; rate: string; turns: boolean; limits: [number, number] | null }[];
  links: DrawnLink[];
  tool: { link: number; pose: number[] };
  gravity: number[];
  /** Symbols without a value, which count as 1. */
  assumed: string[];
  /** Places of the links between whose origins a rod closes a loop; −1 is the base. */
  rods: [number, number][];
}
export interface DrawnLink {
  name: string;
  /** Place of the parent link, −1 for the base. */
  parent: number;
  type: "fixed" | "turns" | "slides";
  /** Place of the joint's coordinate (null for a fixed joint); `ratio` is the joint's motion over that of the coordinate. */
  coordinate: number | null;
  ratio: number;
  /** 4×4 matrices, row by row; the joint's axis is along its own frame. */
  placement: number[];
  axis: number[];
  offset: number[];
  mass: number;
  centre: number[] | null;
  /** Of constant density with the link's inertia: radii [m], and its axes as the columns of a 3×3 matrix, row by row. */
  ellipsoid: { radii: number[]; axes: number[] } | null;
}

export interface Finding {
  severity: "error" | "warning" | "hint";
  place: string;
  found: string;
  why: string;
  remedy: string;
}
export interface Examined {
  name: string;
  hash: string;
  coordinates: string[];
  valueless: string[];
  notes: string[];
  /** Meanings of symbols and names of links that the language says otherwise. */
  texts: Record<string, string>;
  /** Whether its equations are derived only when somebody asks for them. */
  long: boolean;
  arm: DrawnArm;
  languages: string[];
}

/** An equation in pieces of MathML: its left side with the sign of equality, and a text for each term. */
export interface Equation {
  left: string;
  name: string;
  length: number;
  terms?: string[];
}
export interface Counts {
  terms: number;
  operations: number;
}
export interface Equations {
  equations: Equation[];
  constants: Equation[];
  legend: Equation[];
  terms: number;
  /** The names of the entries of a matrix, "" where one is zero. */
  matrix?: { left: string; rows: string[][] };
  counts?: { before: Counts; after: Counts };
  proved?: boolean;
  /** Whether numbers are shown with fewer digits than those that are proved. */
  rounded?: boolean;
}
/** What one link, from 0, gives to a term. */
export interface Share {
  link: number;
  source: string;
  math: string;
}
export type Links = Record<string, Share[][]>;
/** A module with `values(q, qd, qdd)`: the terms of each equation, one after the other. */
export interface TermValues {
  module: string;
  entries: EntryValues[];
}
export interface EntryValues {
  name: string;
  /** How many values it has: one a term, or of a matrix one an entry, row by row. */
  values: number;
  /** Columns of a matrix; 0 for a sum of terms. */
  columns: number;
  unit: string;
}
/** A step of a route: a sentence as escaped text with mathematics, or equations. */
export interface Step {
  html?: string;
  equations?: Equation[];
}
export interface Identity {
  verdict: "proved" | "verified" | "false" | "undecided";
  seconds: number;
  detail: string;
  name: string;
  law: string;
}
export interface Certificate {
  holds: boolean;
  seconds: number;
  primes: number;
  certainty: number;
  identities: Identity[];
}
export interface Judged {
  entry: string;
  verdict: "equal" | "rounded" | "valid" | "different" | "undecided";
  answer: string;
  where: string;
  exactMath: string;
  differenceMath: string;
  mistakes: string[];
  witness: { state: Record<string, string>; yours: number; exact: number } | null;
}
export interface Judgement {
  equal: boolean;
  summary: string[];
  entries: Judged[];
  /** Lines of the answer, from 1, that were not read. */
  unread: number[];
  points: { points: number; most: number } | null;
  /** What a student is told, or "". */
  note: string;
}
/** A formula of an answer, or a part that is not read, with its name and its place. */
export interface Read {
  entry: string;
  where: string;
}
export interface ReadAs {
  entries: (Read & { math: string })[];
  unread: (Read & { reason: string })[];
  /** How names are read. */
  notes: string[];
}
export interface TextFile {
  name: string;
  text: string;
}
/** How an arm moves: a module with rates of change and readings, and how their numbers are laid out. */
export interface Motion {
  module: string;
  accounts: string[];
  size: number;
  parameters: number;
}
/** What the module of a `Motion` offers; `p` are the parameters. */
export interface Moving {
  /** Moves a state on from time `t` by a step of `h` seconds. */
  step: (t: number, h: number, state: Float64Array, p: Float64Array) => void;
  /** Writes the torques of motors and hand together, K and P. */
  observe: (state: Float64Array, time: Float64Array, p: Float64Array, tau: Float64Array, K: Float64Array, P: Float64Array) => unknown;
}
export type Law = "none" | "gravity" | "computed" | "expression";
export type Form = "normal" | "sums" | "multiple-angle";
/** A robot, and the notation in which its equations are written: "" for our letters. */
export type Written = { robot: Description; notation: string };
type Quantity = Written & { route: string; form: Form; name: string };
/** Letters of a course or a paper: a sentence on them in each language, and by name those that are not ours. */
export interface Notation {
  name: string;
  sentences: Record<string, string>;
  letters: Record<string, string>;
}

/** How an answer is marked: what is asked ("M,G"), the points of quantities, and how much a note tells, from 0 to 3. */
export interface Marking {
  wanted: string;
  rubric: Record<string, number | string>;
  hints: number;
}

/** Every question with what it takes, and what its answer is. */
export interface Questions {
  read: { asked: { text: string; name: string }; answer: { robot: Description; doubts: string[] } };
  shipped: { asked: { name: string }; answer: Description };
  examine: { asked: { robot: Description }; answer: Examined };
  diagnose: { asked: { robot: Description }; answer: Finding[] };
  convert: { asked: { robot: Description; to: string }; answer: Description };
  file: { asked: { robot: Description; format: string }; answer: TextFile };
  equations: { asked: Quantity; answer: Equations };
  more: { asked: Quantity & { numbers: number[] }; answer: Equation[] };
  links: { asked: Quantity; answer: Links };
  values: { asked: Quantity; answer: TermValues };
  torques: { asked: { robot: Description }; answer: { module: string } };
  steps: { asked: Written & { route: string; lang: string }; answer: Step[] };
  copy: { asked: Quantity & { language: string }; answer: string };
  prove: { asked: Written & { routes: string[] | null; lang: string }; answer: Certificate };
  example: { asked: Written; answer: string };
  check: { asked: Written & { answer: string; rename: Record<string, string> } & Marking; answer: Judgement };
  readAs: { asked: Written & { answer: string; rename: Record<string, string> }; answer: ReadAs };
  report: {
    asked: Written & { routes: string[]; format: string; lang: string; exam: boolean };
    answer: TextFile[];
  };
  motion: { asked: { robot: Description; law: Law; texts: string[] }; answer: Motion };
}
export type Question = keyof Questions;
export type Asked<Q extends Question> = Questions[Q]["asked"];
export type Answer<Q extends Question> = Questions[Q]["answer"];

/** A mistake in what was given: what was found, where, what was expected, the remedy, and the cell it is about. */
export interface Mistake {
  text: string;
  found: string;
  where: string;
  expected: string;
  remedy: string;
  cell: Place;
  /** What the cell probably means, or "". */
  correction: string;
  /** The symbol that is used and not declared, or "". */
  undeclared: string;
}

export interface Ask {
  id: number;
  question: Question;
  asked: unknown;
}
/** From the page to the worker: a question, or the id of one that is no longer wanted. */
export type Sent = Ask | { drop: number };
/** From the worker to the page. */
export type Reply =
  | { kind: "ready"; seconds: number }
  | { kind: "failed"; text: string }
  | { kind: "begun"; id: number }
  | { kind: "progress"; id: number; doing: string }
  | { kind: "result"; id: number; result: unknown }
  | { kind: "mistake"; id: number; mistake: Mistake }
  | { kind: "defect"; id: number; text: string }
  /** Python has ended, as it does where the browser's stack or memory is at its end. */
  | { kind: "fatal"; id: number; text: string };
