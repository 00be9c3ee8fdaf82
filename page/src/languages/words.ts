// Finds the sentences of the language that is chosen, and puts parts into their places.
import languages from "../../interim/languages.json";
import { Fatal, MistakeError } from "../python/client.ts";

/** Tables whose keys are names of the library, such as those of routes; all other keys are the page's own. */
type OfNames = "doing" | "formats" | "conventions" | "columns" | "choices" | "routes" | "names" | "short" | "languages" | "sources" | "accounts";
type Sentences<T> = { [K in keyof T]: T[K] extends string | unknown[] ? T[K] : K extends OfNames ? Record<string, string> : Sentences<T[K]> };

export type Words = Sentences<typeof languages.words.en>;
export type ArmWords = Words["arm"];
export type MotionWords = Words["motion"];

const LANGUAGES: Record<string, Words> = languages.words;
/** What each language calls itself. */
export const NAMES: Record<string, string> = languages.names;

export function wordsOf(lang: string): Words {
  return LANGUAGES[lang] ?? languages.words.en;
}

/** The first of the languages that a browser or an address speaks, as zh-CN speaks zh, or English. */
export function spoken(lang: string): string {
  return Object.keys(NAMES).find((each) => lang.startsWith(each)) ?? "en";
}

/** "{count} of {all}" with numbers and texts in the places of the names. */
export function filled(sentence: string, parts: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name: string) => String(parts[name] ?? place));
}

/** What the page says where a question got an error instead of an answer. */
export function explained(error: unknown, words: Words): string {
  if (error instanceof MistakeError) return error.mistake.text;
  if (error instanceof Fatal) return words.fatal;
  return filled(words.failed, { text: String(error) });
}
