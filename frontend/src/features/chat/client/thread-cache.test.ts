import { QueryClient } from '@tanstack/react-query';
import { serve } from '../../../app/api/fake-server';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { aiMessage, userMessage } from './chat-fixtures';
import type { MessagePath } from './message-path';
import { ThreadCache } from './thread-cache';

const realFetch = globalThis.fetch;
afterEach(() => (globalThis.fetch = realFetch));

/** A server whose responses the test sends. */
function manualServer() {
  let answer: (body: unknown) => void = () => undefined;
  globalThis.fetch = () =>
    new Promise((resolve) => {
      answer = (body) =>
        resolve({ ok: true, headers: new Headers(), text: async () => JSON.stringify(body) } as Response);
    });
  return { answer: (body: unknown) => answer(body) };
}

test('an answer that finishes during a refresh stays finished', async () => {
  const server = manualServer();
  const client = new QueryClient();
  const cache = new ThreadCache(client);
  const running = aiMessage(2, 1, { status: 'streaming', content: 'so' });
  cache.addMessages(1, [userMessage(1, null), running], true);
  const reading = cache.refresh(1);
  cache.replaceMessage(aiMessage(2, 1, { content: 'so far' }));
  server.answer([userMessage(1, null), running]);
  await reading;
  expect(cache.message(1, 2)).toMatchObject({ status: 'complete', content: 'so far' });
  expect(client.getQueryState(threadMessagesQuery(1).queryKey)?.isInvalidated).toBe(false);
});

test('messages that are sent during a refresh stay, although the response lacks them', async () => {
  const server = manualServer();
  const client = new QueryClient();
  const cache = new ThreadCache(client);
  const first = [userMessage(1, null), aiMessage(2, 1)];
  const second = [userMessage(3, 2), aiMessage(4, 3, { status: 'streaming', content: '' })];
  cache.addMessages(1, first, true);
  const reading = cache.refresh(1);
  cache.addMessages(1, second, false);
  server.answer(first);
  await new Promise((resolve) => setTimeout(resolve));
  expect(cache.isAbsentOrEndsWith(1, 4)).toBe(true);
  server.answer([...first, ...second]);
  await reading;
  expect(cache.isAbsentOrEndsWith(1, 4)).toBe(true);
});

test('messages that are sent during the first read of a thread are shown, although the response lacks them', async () => {
  const server = manualServer();
  const client = new QueryClient();
  const cache = new ThreadCache(client);
  const first = [userMessage(1, null), aiMessage(2, 1)];
  const second = [userMessage(3, 2), aiMessage(4, 3, { status: 'streaming', content: '' })];
  const opening = client.fetchQuery(threadMessagesQuery(1));
  cache.addMessages(1, second, false);
  server.answer(first);
  await opening;
  await new Promise((resolve) => setTimeout(resolve));
  server.answer([...first, ...second]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(cache.isAbsentOrEndsWith(1, 4)).toBe(true);
});

test('a refresh during a refresh reads the thread once more', async () => {
  const server = manualServer();
  const client = new QueryClient();
  const cache = new ThreadCache(client);
  const first = [userMessage(1, null), aiMessage(2, 1)];
  cache.addMessages(1, first, true);
  const reading = cache.refresh(1);
  await cache.refresh(1);
  server.answer(first);
  await new Promise((resolve) => setTimeout(resolve));
  server.answer([...first, userMessage(3, 2), aiMessage(4, 3)]);
  await reading;
  expect(cache.isAbsentOrEndsWith(1, 4)).toBe(true);
});

test.each([
  [404, 'not_found', [1]],
  [500, 'internal', []],
])('a refresh that is refused with %i %s reports these deleted threads: %j', async (statusCode, code, expected) => {
  serve({ '/api/chat/threads/1/messages': { statusCode, code, message: 'No.' } });
  const deleted: number[] = [];
  const cache = new ThreadCache(new QueryClient(), (threadId) => deleted.push(threadId));
  cache.addMessages(1, [userMessage(1, null)], true);
  await cache.refresh(1);
  expect(deleted).toEqual(expected);
});

test('messages below one that the path lacks bring the path of the server', async () => {
  const all = [userMessage(1, null), aiMessage(2, 1), userMessage(3, 2), aiMessage(4, 3)];
  const own = [userMessage(5, 4), aiMessage(6, 5)];
  serve({ '/api/chat/threads/1/messages': [...all, ...own] });
  const client = new QueryClient();
  const cache = new ThreadCache(client);
  cache.addMessages(1, all.slice(0, 2), true);
  cache.addMessages(1, own, false);
  await new Promise((resolve) => setTimeout(resolve));
  const { items } = client.getQueryData<MessagePath>(threadMessagesQuery(1).queryKey)!;
  expect(items.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
});
