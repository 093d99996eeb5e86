// Opens an app without a network: its page from the network where there is one, its files from the cache. Answers of
// the API are never kept here, and so nobody's data. build-pages.ts makes a worker of this for the students' app and one
// for the administrators', and puts the names in. A new build is a new worker.
const app = '__APP__';
/** Of one build. The first is the one that starts the app: its name is another in every build. */
const files = '__FILES__'.split(' ');
/** Filled whole or not at all: the page comes last. */
const cacheName = `${app}-__BUILD__`;
const page = `/${app}`;
/** On a slow network the kept page comes first; it asks for the data itself. */
const patienceMs = 4_000;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keepAll());
});

// Pages that were opened before find their parts from now on, too.
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

/** All of the app and not only what has been opened: who needs a page in a room without a network may never have seen it. */
async function keepAll() {
  const answer = await fetch(page, { cache: 'no-store' });
  // While servers are exchanged one by one, a page of another build may come: then the next opening tries again.
  if (!answer.ok || !(await answer.clone().text()).includes(files[0])) throw new Error('Of another build');
  const cache = await caches.open(cacheName);
  await cache.addAll(files);
  await cache.put(page, answer);
}

/** All other builds but the last one, whose pages may be open still. */
async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith(`${app}-`) && name !== cacheName);
  for (const name of others.slice(0, -1)) await caches.delete(name);
}

/** The page itself is only kept with the files that it names: another build's would find none of its own. */
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

/** Names of assets change with their content, so the one of another build is the same. */
async function cacheFirst(request) {
  const kept = await caches
    .match(request, { cacheName })
    .then((own) => own ?? (request.url.includes('/assets/') ? caches.match(request) : undefined))
    .catch(() => undefined);
  return kept ?? fetch(request);
}
