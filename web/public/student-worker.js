// Opens the students' app without a network: the page from the network where there is one, its files from the
// cache. Answers of the API are never kept.
const cacheName = 'student-1';
const page = '/student';

self.addEventListener('install', () => self.skipWaiting());

// Pages that are open already stay with the network; the next opening is served from here.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name))),
      ),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(networkFirst(request, page));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(cacheFirst(request));
  else if (url.pathname === '/first-paint.js' || url.pathname === '/icon.svg') {
    event.respondWith(networkFirst(request, url.pathname));
  }
});

async function networkFirst(request, key) {
  const cache = await caches.open(cacheName);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(key, answer.clone());
    return answer;
  } catch (error) {
    const kept = await cache.match(key);
    if (kept) return kept;
    throw error;
  }
}

/** Names of assets change with their content, so a kept one is never stale; old ones make room by count. */
async function cacheFirst(request) {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const keys = await cache.keys();
    const assets = keys.filter((key) => new URL(key.url).pathname.startsWith('/assets/'));
    await Promise.all(assets.slice(0, Math.max(0, assets.length - 60)).map((key) => cache.delete(key)));
  }
  return answer;
}
