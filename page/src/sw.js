// Keeps the page, so that it opens without a network; a new build keeps itself anew and forgets the old one.
const NAME = "qddot-VERSION";
const KEPT = "FILES";
const PACKED = /(\.(wasm|zip))\.bin$/;

/** Keeps the packed files unpacked, since unpacking would hold every later visit up. */
async function unpack(cache) {
  for (const name of KEPT.filter((name) => PACKED.test(name))) {
    const packed = await cache.match(name), plain = name.replace(PACKED, "$1");
    const type = plain.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    await cache.put(plain, new Response(packed.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } }));
    await cache.delete(name);
  }
}

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(KEPT.map((name) => new Request(name, { cache: "no-cache" }))).then(() => unpack(cache)))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("qddot-") && name !== NAME;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  event.respondWith(
    caches
      .open(NAME)
      .then((cache) => cache.match(event.request.mode === "navigate" ? "index.html" : event.request, { ignoreSearch: true }))
      .then((kept) => kept ?? fetch(event.request)),
  );
});
