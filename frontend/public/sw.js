// The service worker: shows the page without a connection. Only what `app/sync/offline-chats.ts` has put into the cache of
// chats is ever answered in place of the server.
(() => {
  /** The files of this build that show chats. Written by vite-service-worker.ts, so that each build is another worker. */
  const SHELL = [];

  /** Keep in step with src/app/storage/kept-chats.ts. */
  const CHATS = 'tanya-chats';
  const OWN = /^\/(assets\/|first-paint(-share)?\.js$|icon\.svg$)/;
  const KEPT =
    /^\/api\/(session|general-settings|models|settings\/default-model|user\/(quota|preferences)|chat\/threads(\/\d+(\/messages)?)?)$/;
  /** Addresses that are no page of the app. */
  const ELSEWHERE = /^\/(api|socket\.io|metrics|preview|share)(\/|$)/;
  /** Navigations are answered from the shell after this time without an answer, ms. */
  const PATIENCE_MS = 10_000;

  const name = `tanya-shell-${SHELL.join()
    .split('')
    .reduce((hash, each) => (hash * 31 + each.charCodeAt(0)) >>> 0, 7)}`;

  /** All files of one build, or none: the page names the files of its own build. */
  const install = async () => {
    const cache = await caches.open(name);
    await cache.addAll(
      SHELL.map((path) => new Request(path, { cache: path.startsWith('/assets/') ? 'default' : 'reload' })),
    );
    const page = await (await cache.match('/')).clone().text();
    if (!SHELL.some((path) => path.endsWith('.js') && path.startsWith('/assets/') && page.includes(path))) {
      await caches.delete(name);
      throw new Error('The page belongs to another build');
    }
    await self.skipWaiting();
  };

  const activate = async () => {
    for (const other of await caches.keys()) {
      if (other.startsWith('tanya-shell-') && other !== name) await caches.delete(other);
    }
    await self.clients.claim();
  };

  /** A browser whose storage is damaged has no cache; the server answers. */
  const match = async (cacheName, path) => {
    try {
      return (await caches.has(cacheName)) ? await (await caches.open(cacheName)).match(path) : undefined;
    } catch {
      return undefined;
    }
  };

  const fromShell = (path) => match(name, path);

  const fetchOrShell = async (request, path) => {
    try {
      return await fetch(request);
    } catch (error) {
      const kept = await fromShell(path);
      if (kept) return kept;
      throw error;
    }
  };

  const page = async (request) => {
    const answer = fetchOrShell(request, '/');
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)).then(() => fromShell('/'));
    return Promise.race([answer, late.then((kept) => kept ?? answer)]);
  };

  const keptAnswer = async (request, path) => {
    try {
      return await fetch(request);
    } catch (error) {
      const kept = await match(CHATS, path);
      if (kept) return kept;
      throw error;
    }
  };

  self.addEventListener('install', (event) => event.waitUntil(install()));
  self.addEventListener('activate', (event) => event.waitUntil(activate()));
  self.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname, search } = new URL(request.url);
    if (origin !== self.location.origin) return;
    // Another account, or none: nothing of the last one is left, whatever its page still does.
    if (request.method === 'POST' && /^\/api\/(login|logout|register|auth\/oidc)(\/|$)/.test(pathname)) {
      event.waitUntil(caches.delete(CHATS));
      return;
    }
    // Back from an identity provider.
    if (/^\/api\/auth\/oidc\/\d+\/callback$/.test(pathname)) event.waitUntil(caches.delete(CHATS));
    if (request.method !== 'GET') return;
    if (request.mode === 'navigate') {
      if (!ELSEWHERE.test(pathname)) event.respondWith(page(request));
    } else if (pathname.startsWith('/assets/')) {
      event.respondWith(fromShell(pathname).then((kept) => kept ?? fetch(request)));
    } else if (OWN.test(pathname)) {
      event.respondWith(fetchOrShell(request, pathname));
    } else if (search === '' && KEPT.test(pathname)) {
      event.respondWith(keptAnswer(request, pathname));
    }
  });
})();
