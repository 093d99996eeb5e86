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
  try {
    const answer = await fetch(request);
    await keep(key, answer);
    return answer;
  } catch (error) {
    const kept = await caches.match(key, { cacheName });
    if (kept) return kept;
    throw error;
  }
}

/** Names of assets change with their content, so a kept one is never stale. */
async function cacheFirst(request) {
  const kept = await caches.match(request, { cacheName }).catch(() => undefined);
  if (kept) return kept;
  const answer = await fetch(request);
  await keep(request, answer);
  return answer;
}

/** Old assets make room by count. A full or forbidden storage must not keep the answer from the page. */
async function keep(key, answer) {
  if (!answer.ok) return;
  try {
    const cache = await caches.open(cacheName);
    await cache.put(key, answer.clone());
    const keys = await cache.keys();
    const assets = keys.filter(({ url }) => new URL(url).pathname.startsWith('/assets/'));
    await Promise.all(assets.slice(0, Math.max(0, assets.length - 60)).map((old) => cache.delete(old)));
  } catch {
    // The next opening without a network has less to show.
  }
}
