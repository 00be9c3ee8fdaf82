// Robots that somebody has edited, kept in this browser: each under an id of its own, so that none replaces another.
import type { Description } from "../messages.ts";
import { forget, keep, namesOf, recalled } from "./storage.ts";

const PREFIX = "qddot.draft.";
const BEFORE = "qddot.robot"; // the one robot that earlier versions of the page kept
const MOST = 8;

export interface Draft {
  id: string;
  /** When it was edited last [ms]. */
  at: number;
  robot: Description;
}

export function freshId(): string {
  return Math.random().toString(36).slice(2, 10);
}

/** Returns the drafts, the latest first. */
export function drafts(): Draft[] {
  const kept = namesOf(PREFIX).map((name) => draft(name.slice(PREFIX.length)));
  const old = robotIn(recalled(BEFORE));
  const all = [...kept, old && { id: BEFORE, at: 0, robot: old }];
  return all.filter((each): each is Draft => each !== null).sort((a, b) => b.at - a.at);
}

export function draft(id: string): Draft | null {
  const text = recalled(id === BEFORE ? BEFORE : PREFIX + id);
  const robot = robotIn(text, "robot");
  return robot && { id, at: Number((JSON.parse(text!) as Draft).at) || 0, robot };
}

/** Keeps a draft in place of the oldest one; returns whether the browser did. */
export function keepDraft(id: string, robot: Description): boolean {
  for (const old of drafts().filter((each) => each.id !== id).slice(MOST - 1)) forget(old.id === BEFORE ? BEFORE : PREFIX + old.id);
  return keep(PREFIX + id, JSON.stringify({ at: Date.now(), robot }));
}

/** Returns the id of the draft that another tab has just changed, or null. */
export function changedElsewhere(event: StorageEvent): string | null {
  return event.key?.startsWith(PREFIX) && event.newValue ? event.key.slice(PREFIX.length) : null;
}

function robotIn(text: string | null, part?: string): Description | null {
  try {
    const data = JSON.parse(text ?? "null") as Record<string, unknown> | null, robot = part ? data?.[part] : data;
    return robot && Array.isArray((robot as Description).link) ? (robot as Description) : null;
  } catch {
    return null;
  }
}
