import { readFileSync } from 'node:fs';
import { compileFunction } from 'node:vm';

/** Runs the service worker in a browser whose storage is damaged; returns how it answers a request. */
function startWorker(answer) {
  const listeners = {};
  const self = {
    location: { origin: 'https://chat.example' },
    addEventListener: (type, listener) => void (listeners[type] = listener),
  };
  const damaged = () => Promise.reject(new DOMException('Internal error', 'UnknownError'));
  const caches = { open: damaged, has: damaged, keys: damaged, delete: damaged };
  compileFunction(readFileSync('frontend/public/sw.js', 'utf8'), ['self', 'caches', 'fetch'])(self, caches, answer);
  return (path) =>
    new Promise((resolve) => {
      const request = { url: `https://chat.example${path}`, method: 'GET', mode: 'cors' };
      listeners.fetch({ request, respondWith: resolve });
    });
}

test.each(['/assets/index.js', '/icon.svg', '/api/session'])(
  'a damaged storage leaves %s to the server',
  async (path) => {
    expect(await startWorker(async () => 'from the server')(path)).toBe('from the server');
    const failing = startWorker(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(failing(path)).rejects.toThrow('Failed to fetch');
  },
);
