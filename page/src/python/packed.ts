// Files that are packed one by one: they come over slow lines in less than half the time, and unpack while they arrive.
import { STORE } from "./kept.ts";

const PACKED = /\.(wasm|zip)$/, SUFFIX = ".bin";

/** Fetches a file unpacked, as the service worker has kept it, or packed. Throws an Error where there is none. */
export async function fetched(address: URL): Promise<Response> {
  const kept = await keptOf(address);
  if (kept) return kept;
  const packed = await fetch(`${address}${SUFFIX}`);
  if (!packed.ok || !packed.body) throw new Error(`${packed.url}: ${packed.status}`);
  const type = address.pathname.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(packed.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
}

/** Lets Pyodide's loader, which fetches its own files by their names, have them unpacked. */
export function unpackOnTheWay(): void {
  const plain = self.fetch.bind(self);
  self.fetch = (asked, how) => {
    const address = new URL(asked instanceof Request ? asked.url : asked, self.location.href);
    return PACKED.test(address.pathname) ? fetched(address) : plain(asked, how);
  };
}

async function keptOf(address: URL): Promise<Response | undefined> {
  try {
    return await (await caches.open(STORE)).match(address);
  } catch {
    return undefined; // a browser need not keep anything
  }
}
