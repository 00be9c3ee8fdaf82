// Keeps the page, so that it opens without a network; a new build keeps itself anew and forgets the old one.
import { contentOf, unpackedName } from "./python/unpacking.ts";

/** What a service worker has and a window lacks. */
interface Scope {
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, heard: (event: Extended) => void): void;
}
interface Extended {
  request: Request;
  waitUntil(work: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const NAME = "qddot-VERSION";
const KEPT = "FILES" as unknown as string[];
const worker = self as unknown as Scope;

/** Keeps the packed files unpacked, since unpacking would hold every later visit up. */
async function unpack(cache: Cache): Promise<void> {
  for (const name of KEPT) {
    const plain = unpackedName(name);
    if (!plain) continue;
    const { body } = (await cache.match(name))!;
    await cache.put(plain, contentOf(plain, body!));
    await cache.delete(name);
  }
}

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(KEPT.map((name) => new Request(name, { cache: "no-cache" }))).then(() => unpack(cache)))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  const old = (name: string) => name.startsWith("qddot-") && name !== NAME;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== worker.location.origin) return;
  event.respondWith(
    caches
      .open(NAME)
      .then((cache) => cache.match(event.request.mode === "navigate" ? "index.html" : event.request, { ignoreSearch: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});
