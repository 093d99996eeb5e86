// Opens an app offline: pages from the network if possible, files from the cache. Never caches answers of the API.
// vite/finish-build.ts creates one worker per app and inserts the names. A new build is a new worker.
const app = '__APP__';
/** Files of one build. The first starts the app, and its name differs in every build. */
const files = '__FILES__'.split(' ');
/** Filled completely or not at all, because the page comes last. */
const cacheName = `${app}-__BUILD__`;
const page = `/${app}`;
/** After this wait, the cached page appears; it requests the data itself. */
const patienceMs = 4_000;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keepAll());
});

// Pages that are already open also use this cache from now on.
self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([forgetOthers(), self.clients.claim(), self.registration.navigationPreload?.enable()]),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(networkFirst(request, event.preloadResponse));
  else if (files.includes(pathname) || pathname.startsWith('/assets/'))
    event.respondWith(cacheFirst(request));
});

/** Caches parts that were never opened, because a person may first need them offline. */
async function keepAll() {
  const answer = await fetch(page, { cache: 'no-store' });
  // During a rolling upgrade, a page of another build may arrive; the next opening tries again.
  if (!answer.ok || !(await answer.clone().text()).includes(files[0])) throw new Error('Of another build');
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  await cache.put(page, answer);
}

/** Keeps the previous build, whose pages may still be open. */
async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith(`${app}-`) && name !== cacheName);
  for (const name of others.slice(0, -1)) await caches.delete(name);
}

/** Caches a page only together with its files, because builds do not share them. */
async function networkFirst(request, early) {
  const fresh = askFor(request, early);
  const late = new Promise((_, reject) => setTimeout(reject, patienceMs));
  try {
    return await Promise.race([fresh, late]);
  } catch {
    return (await caches.match(page, { cacheName })) ?? fetch(request);
  }
}

async function askFor(request, early) {
  const answer = (await early) ?? (await fetch(request));
  if (answer.status >= 500) throw new Error(`The server answers ${answer.status}`);
  return answer;
}

/** Names of assets change with their content, so equal names have equal content. */
async function cacheFirst(request) {
  const kept = await caches
    .match(request, { cacheName })
    .then((own) => own ?? (request.url.includes('/assets/') ? caches.match(request) : undefined))
    .catch(() => undefined);
  return kept ?? fetch(request);
}
