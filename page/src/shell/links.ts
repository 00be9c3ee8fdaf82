// A whole robot in the fragment of an address: JSON, raw DEFLATE, base64 for addresses. A browser sends it to nobody.
import type { Description } from "../messages.ts";

export const LONGEST = 64_000; // letters
const LARGEST = 1_000_000; // bytes, when it is unpacked

export class BadLink extends Error {
  readonly why: "tooLong" | "damaged";
  constructor(why: "tooLong" | "damaged") {
    super(why);
    this.why = why;
  }
}

export async function packed(robot: Description): Promise<string> {
  const bytes = new Blob([JSON.stringify(robot)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const letters = Array.from(new Uint8Array(await new Response(bytes).arrayBuffer()), (byte) => String.fromCharCode(byte));
  return btoa(letters.join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Throws BadLink for what is no robot, or too long: 65 kB can hold 50 MB, so bytes are counted while they are unpacked. */
export async function unpacked(fragment: string): Promise<Description> {
  if (fragment.length > LONGEST) throw new BadLink("tooLong");
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  } catch {
    throw new BadLink("damaged");
  }
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let count = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      count += value.length;
      if (count > LARGEST) {
        void reader.cancel();
        throw new BadLink("tooLong");
      }
      parts.push(value as Uint8Array<ArrayBuffer>);
    }
    return checked(JSON.parse(await new Blob(parts).text()));
  } catch (error) {
    throw error instanceof BadLink ? error : new BadLink("damaged");
  }
}

/** A description has a list of links, which are tables; Python checks all else. */
function checked(value: unknown): Description {
  const links = (value as Description | null)?.link;
  const tables = Array.isArray(links) && links.every((link) => link !== null && typeof link === "object" && !Array.isArray(link));
  if (!tables) throw new BadLink("damaged");
  return value as Description;
}
