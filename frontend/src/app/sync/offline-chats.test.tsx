import { jest } from '@jest/globals';
import { waitFor } from '@testing-library/react';
import { aiMessage } from '../../features/chat/client/chat-fixtures';
import { SETTINGS } from '../../features/admin-settings/fake-settings';
import { fakeThread } from '../queries/fake-thread';
import { queryClient } from '../queries/query-client';
import { settingsQuery } from '../queries/settings.query';
import { threadMessagesQuery, threadsQuery } from '../queries/threads.query';
import { currentUserQuery } from '../queries/user.query';
import { sari } from '../session/fake-user';
import { CHATS_CACHE, keepChatsOf } from '../storage/kept-chats';

jest.unstable_mockModule('./service-worker', () => ({ registerServiceWorker: () => Promise.resolve() }));
const { keepChats } = await import('./offline-chats');

/** The caches of a browser, whose disk can be full. */
const disk = { caches: new Map<string, Map<string, unknown>>(), isFull: false, wasFull: false };

function open(name: string) {
  const entries = disk.caches.get(name) ?? new Map<string, unknown>();
  disk.caches.set(name, entries);
  return {
    keys: async () => [...entries.keys()].map((path) => ({ url: `https://site.example${path}` })),
    delete: async (path: string) => entries.delete(path),
    put: async (path: string, answer: unknown) => {
      if (disk.isFull) {
        disk.wasFull = true;
        throw new DOMException('The disk is full.', 'QuotaExceededError');
      }
      entries.set(path, answer);
    },
  };
}

const chats = () => [...(disk.caches.get(CHATS_CACHE)?.keys() ?? [])].filter((path) => path.endsWith('/messages'));

const showThreads = (count: number) => {
  const items = Array.from({ length: count }, (_, index) => fakeThread(index + 1));
  queryClient.setQueryData(threadsQuery().queryKey, { pages: [{ items, nextCursor: null }], pageParams: [null] });
};

const read = (id: number) =>
  queryClient.setQueryData(threadMessagesQuery(id).queryKey, { items: [aiMessage(id, 1)], nextCursor: null });

class Body {
  constructor(readonly text: string) {}
}

beforeAll(() => {
  // jsdom has none of them.
  Object.assign(globalThis, { Response: Body });
  Object.defineProperty(navigator, 'serviceWorker', { value: {}, configurable: true });
  const caches = { open: async (name: string) => open(name), delete: async (name: string) => disk.caches.delete(name) };
  Object.defineProperty(window, 'caches', { value: caches, configurable: true });
  keepChatsOf('user:1');
  queryClient.setQueryData(currentUserQuery.queryKey, sari);
  showThreads(40);
  keepChats();
});

const WAIT = { timeout: 10_000 };

test('keeps the last read chats, also those of a cache that the worker has deleted', async () => {
  read(1);
  await waitFor(() => expect(chats()).toEqual(['/api/chat/threads/1/messages']), WAIT);
  // As at a logout that fails.
  disk.caches.clear();
  read(2);
  await waitFor(() => expect(chats()).toHaveLength(2), WAIT);
  for (let id = 3; id <= 40; id++) read(id);
  await waitFor(() => expect(chats()[0]).toBe('/api/chat/threads/11/messages'), WAIT);
  expect(chats()).toHaveLength(30);
});

test('goes on after a full disk, with what did not fit', async () => {
  disk.isFull = true;
  read(1);
  await waitFor(() => expect(disk.wasFull).toBe(true), WAIT);
  disk.isFull = false;
  read(2);
  await waitFor(() => expect(chats().slice(-2)).toEqual([1, 2].map((id) => `/api/chat/threads/${id}/messages`)), WAIT);
});

test('keeps of the settings of an admin what everyone may read', async () => {
  queryClient.setQueryData(settingsQuery.queryKey, { ...SETTINGS, logo: '/api/logo?v=1' });
  const kept = () => (disk.caches.get(CHATS_CACHE)?.get('/api/general-settings') as Body | undefined)?.text;
  await waitFor(() => expect(kept()).toContain('"siteTitle":"Tanya"'), WAIT);
  expect(kept()).toContain('"logo":"/api/logo?v=1"');
  expect(kept()).not.toMatch(/ApiKey|systemPrompt|warnings/);
});
