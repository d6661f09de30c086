// What was read once is there without a network: pages the newest that can be had, all else as it was when this was built.
const NAME = "accelerator-course @VERSION@";
const kept = async (asked, reply) => {
  if (reply.ok) (await caches.open(NAME)).put(asked, reply.clone());
  return reply;
};
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("accelerator-course ") && name !== NAME) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener("fetch", (event) => {
  const { request } = event, { origin } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  const fresh = () => fetch(request).then((reply) => kept(request, reply));
  const old = () => caches.match(request, { ignoreSearch: request.mode === "navigate", cacheName: NAME });
  event.respondWith(request.mode === "navigate" ? fresh().catch(async () => (await old()) ?? Response.error()) : old().then((found) => found ?? fresh()));
});
