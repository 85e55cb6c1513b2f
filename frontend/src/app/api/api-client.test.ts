import { api } from './api-client';

const realFetch = globalThis.fetch;
afterEach(() => (globalThis.fetch = realFetch));

/** Lets `fetch` answer with a body. */
function answer(text: () => Promise<string>, ok = true): void {
  globalThis.fetch = () =>
    Promise.resolve({
      ok,
      status: ok ? 200 : 500,
      statusText: 'Internal Server Error',
      headers: new Headers(),
      text,
    } as Response);
}

const cut = () => Promise.reject(new TypeError('network error'));

test('an answer that is cut off or is not from the server is a failure of the network', async () => {
  for (const text of [cut, () => Promise.resolve('<html>Log in to this network</html>')]) {
    answer(text);
    await expect(api.get('/api/models')).rejects.toMatchObject({ code: 'network' });
    await expect(api.getPage('/api/chat/threads')).rejects.toMatchObject({ code: 'network' });
    await expect(api.post('/api/logout')).rejects.toMatchObject({ code: 'network' });
  }
});

test('a refusal that is cut off has its status', async () => {
  answer(cut, false);
  await expect(api.get('/api/models')).rejects.toMatchObject({ status: 500, message: '500: Internal Server Error' });
});

test('a call that is aborted while its answer is read fails as aborted', async () => {
  const controller = new AbortController();
  answer(() => {
    controller.abort();
    return Promise.reject(new DOMException('Aborted', 'AbortError'));
  });
  await expect(api.get('/api/models', controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
});
