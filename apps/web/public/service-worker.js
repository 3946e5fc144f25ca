/* The service worker of the user app (docs/features/installed-app.md): opens the app's shell without a server, and
   shows notifications of Web Push. It never answers from its cache while the server answers. */

/** The page and the files of the newest version that this browser has loaded. */
const CACHE = 'shell';
const PAGE = '/';

addEventListener('install', (event) => {
  // There is nothing to wait for: the worker of the version before serves no other files than this one.
  event.waitUntil(Promise.all([keepPage(), skipWaiting()]));
});

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), clients.claim()]));
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && pathname === PAGE) event.respondWith(answerPage(event));
  else if (pathname.startsWith('/assets/')) event.respondWith(answerAsset(request));
});

/** The page lists the files it has loaded; those before its worker was there are missing in the cache. */
addEventListener('message', (event) => {
  if (Array.isArray(event.data?.loaded)) event.waitUntil(keepAssets(event.data.loaded));
});

/** The page from the server; without one the page that was kept, marked as such. */
async function answerPage(event) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    if (isPage(response)) event.waitUntil(keep(response.clone()));
    return response;
  } catch (error) {
    const kept = await (await caches.open(CACHE)).match(PAGE);
    if (kept === undefined) throw error;
    const text = (await kept.text()).replace('<html ', '<html data-offline ');
    return new Response(text, { headers: kept.headers });
  }
}

/** Files under assets/ have their hash in the name and never change. */
async function answerAsset(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  // A full disk must not prevent the answer.
  if (response.ok) void cache.put(request, response.clone()).catch(() => undefined);
  return response;
}

const isPage = (response) => response.ok && (response.headers.get('content-type') ?? '').startsWith('text/html');

async function keepPage() {
  const response = await fetch(PAGE, { cache: 'no-store' });
  // Before the first account, this is a redirect to the set-up page.
  if (isPage(response) && !response.redirected) await keep(response);
}

/** Keeps the page. Another page is another version: the files of the version before are deleted. */
async function keep(response) {
  const cache = await caches.open(CACHE);
  const [text, before] = [await response.clone().text(), await (await cache.match(PAGE))?.text()];
  if (text === before) return;
  await caches.delete(CACHE);
  await (await caches.open(CACHE)).put(PAGE, response);
  const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url);
  await keepAssets(named.filter((url) => url !== PAGE));
}

async function keepAssets(urls) {
  const cache = await caches.open(CACHE);
  const own = urls.filter((url) => new URL(url, location.href).origin === location.origin);
  await Promise.allSettled(own.map(async (url) => (await cache.match(url)) ?? cache.add(url)));
}

/** A message of Web Push: `WebPushMessage` of packages/contract/src/notices/web-push.ts. */
addEventListener('push', (event) => {
  event.waitUntil(notify(event.data.json()));
});

async function notify({ title, body, path, tag, until }) {
  const pages = await clients.matchAll({ type: 'window' });
  // A page of the app rings by itself, and browsers only insist on a notification while none is visible.
  if (until !== null && pages.some(({ visibilityState }) => visibilityState === 'visible')) return;
  const icon = '/icons/icon-192.png';
  const isRing = until !== null;
  await registration.showNotification(title, { body, tag, icon, data: { path }, requireInteraction: isRing });
  if (!isRing) return;
  await new Promise((resolve) => setTimeout(resolve, Date.parse(until) - Date.now()));
  for (const notification of await registration.getNotifications({ tag })) notification.close();
}

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(`/#${event.notification.data.path}`));
});

/** Opens a page of the app in a window of it; never in one with a meeting. */
async function open(url) {
  const windows = await clients.matchAll({ type: 'window' });
  const free = windows.find((page) => new URL(page.url).pathname === PAGE && !page.url.includes('#/join'));
  if (free === undefined) await clients.openWindow(url);
  else await (await free.focus()).navigate(url);
}
