// Keeps the memory of a Python that has its modules imported, for the next visits: these begin in less than half the time.
import { begin } from "./begin.ts";
import { STORE } from "./packed.ts";

const name = () => new URL("memory", PAGE);

/** The memory that was kept, or nothing: a browser need not keep any. */
export async function kept(): Promise<Response | undefined> {
  try {
    return await (await caches.open(STORE)).match(name());
  } catch {
    return undefined;
  }
}

export async function forget(): Promise<void> {
  await (await caches.open(STORE)).delete(name());
}

/** Begins a Python only to keep its memory; it is asked questions first, so that its first answers are quick later. */
export async function keep(): Promise<void> {
  if (await kept()) return;
  const { python, complete } = await begin({ keeps: true });
  await complete();
  python.runPython("from qddot.apps.page.warming import warm; warm(); del warm");
  const { makeMemorySnapshot } = python as unknown as { makeMemorySnapshot(): Uint8Array<ArrayBuffer> };
  await (await caches.open(STORE)).put(name(), new Response(makeMemorySnapshot()));
}
