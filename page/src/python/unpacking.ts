// Files that are packed one by one with Zstandard: they come over slow lines in less than a third of the time, and unpack on their way.
import { Decompress } from "fzstd";

const SUFFIX = /\.bin$/;
const PACKED = 0x28; // the first byte of what Zstandard packs, and of no file that is packed here
type Bytes = Uint8Array<ArrayBuffer>;

/** The name of a file that was packed, or nothing where the name is of another one. */
export const unpackedName = (name: string) => (/\.(wasm|zip)\.bin$/.test(name) ? name.replace(SUFFIX, "") : null);

/**
 * Unpacks what flows through it, unless the browser has done so, much faster, since the server told it how the file is packed.
 * arrived: is called after the last byte, when the line is free.
 */
export function unpacking(arrived: () => void = () => {}): TransformStream<Bytes, Bytes> {
  let begun = false, unpack: Decompress | null = null;
  return new TransformStream({
    transform(piece, out) {
      if (!begun && piece[0] === PACKED) unpack = new Decompress((part) => part.length && out.enqueue(part as Bytes));
      begun = true;
      if (unpack) unpack.push(piece);
      else out.enqueue(piece);
    },
    flush() {
      unpack?.push(new Uint8Array(), true);
      arrived();
    },
  });
}

/** Returns a file's content under the type for which a browser compiles it while it arrives. */
export function contentOf(name: string, packed: ReadableStream<Bytes>, arrived?: () => void): Response {
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(packed.pipeThrough(unpacking(arrived)), { headers: { "Content-Type": type } });
}
