// Opens the students' app without a network: the page from the network where there is one, its files from the
// cache. Answers of the API are never kept, and so nobody's data.

// build-pages.ts puts the names in. A new build is a new worker, which fetches what is new.
const files = '__STUDENT_FILES__'.split(' ');
const cacheName = 'student-2';
const page = '/student';
/** On a slow network the kept page comes first; it asks for the data itself. */
const patienceMs = 4_000;

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(keepAll());
});

// Pages that are open already stay with the network; the next opening is served from here.
self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers());
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(networkFirst(request));
  else if (files.includes(url.pathname)) event.respondWith(cacheFirst(request));
});

/** All of the app and not only what has been opened: who installs it may never open it twice with a network. */
async function keepAll() {
  const cache = await caches.open(cacheName);
  const missing = [];
  for (const file of files) {
    // Names of assets change with their content.
    if (!file.startsWith('/assets/') || !(await cache.match(file))) missing.push(file);
  }
  await cache.addAll([page, ...missing]);
}

async function forgetOthers() {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  const cache = await caches.open(cacheName);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== page && !files.includes(pathname)) await cache.delete(request);
  }
}

/** The page itself is only kept with the files that it names: another build's would find none of its own. */
async function networkFirst(request) {
  const fresh = fetch(request).then((answer) => {
    if (answer.status >= 500) throw new Error(`The server answers ${answer.status}`);
    return answer;
  });
  const late = new Promise((_, reject) => setTimeout(reject, patienceMs));
  try {
    return await Promise.race([fresh, late]);
  } catch {
    return (await caches.match(page, { cacheName })) ?? fetch(request);
  }
}

async function cacheFirst(request) {
  const kept = await caches.match(request, { cacheName }).catch(() => undefined);
  return kept ?? fetch(request);
}
