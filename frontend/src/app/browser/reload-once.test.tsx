import { jest } from '@jest/globals';
import { serve } from '../api/fake-server';
import { reloadOnce } from './reload-once';

const missingPart = () => Object.assign(new Event('vite:preloadError'), { payload: new Error() });

/** Whether a missing part asks for the server, with which a reload begins. */
async function reloads(): Promise<boolean> {
  // Without an answer, so that no test leaves its page.
  const requests = serve({});
  await reloadOnce(missingPart());
  return requests.length > 0;
}

const loadedBy = (type: string, ago: number) => {
  jest.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type } as unknown as PerformanceEntry]);
  jest.spyOn(performance, 'now').mockReturnValue(ago);
};

test('a missing part reloads the page, also where the browser stores nothing', async () => {
  const read = jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Blocked.', 'SecurityError');
  });
  loadedBy('navigate', 1_000);
  expect(await reloads()).toBe(true);
  read.mockRestore();
});

test('a page that was just reloaded is not reloaded again, where the browser stores nothing', async () => {
  const read = jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('Blocked.', 'SecurityError');
  });
  loadedBy('reload', 1_000);
  expect(await reloads()).toBe(false);
  loadedBy('reload', 61_000);
  expect(await reloads()).toBe(true);
  read.mockRestore();
});

test('a reload by the reader does not count, and one for a missing part does', async () => {
  loadedBy('reload', 1_000);
  expect(await reloads()).toBe(true);
  sessionStorage.setItem('tanya.reloaded', String(Date.now() - 1_000));
  expect(await reloads()).toBe(false);
  sessionStorage.setItem('tanya.reloaded', String(Date.now() - 61_000));
  expect(await reloads()).toBe(true);
});
