// An archive of Python's modules: a list of paths and lengths, and the files one after the other.

/** Returns the files by path. */
export async function filesOf(archive: Response): Promise<Map<string, Uint8Array>> {
  const whole = new Uint8Array(await archive.arrayBuffer());
  let place = 4 + new DataView(whole.buffer).getUint32(0);
  const listed = JSON.parse(new TextDecoder().decode(whole.subarray(4, place))) as [string, number][];
  return new Map(listed.map(([path, length]) => [path, whole.subarray(place, (place += length))]));
}
