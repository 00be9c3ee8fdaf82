// The script of Python's workers, which comes packed with Pyodide's own in it: plain it would take five times as long.
import type { Reply, Sent } from "../messages.ts";
import type { Post } from "./client.ts";

let address: Promise<string> | null = null;

/** Returns the address of the script, which is fetched once, and again where that failed. */
function script(): Promise<string> {
  address ??= unpacked(new URL("worker.js.bin", document.baseURI));
  address.catch(() => (address = null));
  return address;
}

/** Unpacks the script, and writes before it where the page is. */
async function unpacked(place: URL): Promise<string> {
  const packed = await fetch(place);
  if (!packed.ok || !packed.body) throw new Error(`${place}: ${packed.status}`);
  const text = await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).blob();
  const page = `const PAGE = ${JSON.stringify(new URL("./", document.baseURI).href)};\n`;
  return URL.createObjectURL(new Blob([page, text], { type: "text/javascript" }));
}

/** A worker that begins as soon as its script is there. It says when it can be asked. */
export class PythonWorker implements Post {
  onmessage: ((event: MessageEvent<Reply>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  private worker: Worker | null = null;
  private isEnded = false;

  constructor(name: string) {
    script().then((address) => this.begin(address, name), (error: unknown) => this.onerror?.(new ErrorEvent("error", { message: String(error) })));
  }

  postMessage(sent: Sent): void {
    this.worker?.postMessage(sent);
  }

  terminate(): void {
    this.isEnded = true;
    this.worker?.terminate();
  }

  private begin(address: string, name: string): void {
    if (this.isEnded) return;
    this.worker = new Worker(address, { type: "module", name });
    this.worker.onmessage = (event) => this.onmessage?.(event);
    this.worker.onerror = (event) => this.onerror?.(event);
  }
}
