// The archive of Python's modules: a list of paths and lengths, and the files one behind the other, compressed as one.
import { unpacking } from "./unpacking.ts";

/** Returns the files by path. */
export async function unpacked(archive: Response): Promise<Map<string, Uint8Array>> {
  if (!archive.ok || !archive.body) throw new Error(`${archive.url}: ${archive.status}`);
  const whole = new Uint8Array(await new Response(archive.body.pipeThrough(unpacking())).arrayBuffer());
  let place = 4 + new DataView(whole.buffer).getUint32(0);
  const listed = JSON.parse(new TextDecoder().decode(whole.subarray(4, place))) as [string, number][];
  return new Map(listed.map(([path, length]) => [path, whole.subarray(place, (place += length))]));
}
