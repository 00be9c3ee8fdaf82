// Finds the sentences of the language that is chosen, and puts parts into their places.
import type { Lang } from "../messages.ts";
import { Fatal, MistakeError } from "../python/client.ts";
import { chinese } from "./chinese.ts";
import { english, type Words } from "./english.ts";

const LANGUAGES: Record<Lang, Words> = { en: english, zh: chinese };

export function wordsOf(lang: Lang): Words {
  return LANGUAGES[lang];
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
