// Fetches the files that are packed, as the service worker has kept them, or as they come over the line.
import { contentOf } from "./unpacking.ts";

export const STORE = "qddot-VERSION"; // the store of the service worker, which deletes it when another build comes
const ask = self.fetch.bind(self); // the browser's own: `handOver` puts another in the place of the loader's

/** A file on its way. */
export interface Coming {
  /** Its unpacked content as it arrives; an Error where there is none. */
  response: Promise<Response>;
  /** Is kept when its last byte has arrived, and the line is free. */
  arrived: Promise<void>;
}

/** Begins to fetch a file. */
export function coming(address: URL): Coming {
  let response!: Promise<Response>;
  const arrived = new Promise<void>((resolve, reject) => (response = fetched(address, resolve)).catch(reject));
  arrived.catch(() => {}); // whoever takes the response gets the error
  return { response, arrived };
}

/** Lets Pyodide's loader, which fetches its own files by their names, have those that are on their way. */
export function handOver(files: Coming[], addresses: URL[]): void {
  self.fetch = (asked, how) => {
    const href = asked instanceof Request ? asked.url : String(asked);
    const place = addresses.findIndex((address) => address.href === href);
    return files[place]?.response ?? ask(asked, how);
  };
}

async function fetched(address: URL, arrived: () => void): Promise<Response> {
  const kept = await keptOf(address);
  if (kept) {
    arrived();
    return kept;
  }
  const packed = await ask(`${address}.bin`);
  if (!packed.ok || !packed.body) throw new Error(`${packed.url}: ${packed.status}`);
  return contentOf(address.pathname, packed.body, arrived);
}

/** The file as the service worker answers it: for what has come by an address, the browser keeps the compiled code, too. */
async function keptOf(address: URL): Promise<Response | undefined> {
  try {
    const kept = await (await caches.open(STORE)).match(address);
    if (!kept) return undefined;
    const answered = await ask(address);
    return answered.ok ? answered : kept; // a page that was loaded past the service worker has no such file
  } catch {
    return undefined; // a browser need not keep anything
  }
}
