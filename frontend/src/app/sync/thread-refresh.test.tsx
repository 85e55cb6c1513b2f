import { QueryObserver } from '@tanstack/react-query';
import type { Thread } from '@tanya/contract';
import { fakeThread } from '../queries/fake-thread';
import { dropThread } from './thread-list-cache';
import { threadQuery, threadsQuery } from '../queries/threads.query';
import { queryClient } from '../queries/query-client';
import { refreshThreads } from './thread-refresh';

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
  queryClient.clear();
});

const thread = (id: number, title: string) => fakeThread(id, { title });

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A server that answers with the list at the time of the request, when the test releases the answer. */
function slowServer() {
  const server = { threads: [] as Thread[], asked: 0, waiting: [] as ((isDown?: boolean) => void)[] };
  globalThis.fetch = () =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify(server.threads);
      server.asked += 1;
      server.waiting.push((isDown = false) => {
        if (isDown) reject(new TypeError('Failed to fetch'));
        else resolve({ ok: true, headers: new Headers(), text: async () => body } as Response);
      });
    });
  return server;
}

type Server = ReturnType<typeof slowServer>;

/** Releases the answers, the latest request first, until no request is open. */
async function answerAll(server: Server): Promise<void> {
  for (let answer = server.waiting.pop(); answer; answer = server.waiting.pop()) {
    answer();
    await settled();
  }
}

async function showList(server: Server, ...threads: Thread[]): Promise<void> {
  server.threads = threads;
  const reading = queryClient.fetchInfiniteQuery(threadsQuery());
  await answerAll(server);
  await reading;
}

const shown = () =>
  queryClient.getQueryData(threadsQuery().queryKey)?.pages.flatMap(({ items }) => items.map(({ title }) => title));

describe('the list of threads', () => {
  it('shows the newest of two changes, in whichever order the answers arrive', async () => {
    const server = slowServer();
    await showList(server, thread(1, 'Harbour'));
    server.threads = [thread(2, 'New'), thread(1, 'Harbour')];
    void refreshThreads([2]);
    await settled();
    server.threads = [thread(2, 'Tides of June'), thread(1, 'Harbour')];
    void refreshThreads([2]);
    await settled();
    await answerAll(server);
    expect(shown()).toEqual(['Tides of June', 'Harbour']);
  });

  it('does not restore a thread that is deleted during a read', async () => {
    const server = slowServer();
    await showList(server, thread(2, 'Tides'), thread(1, 'Harbour'));
    void refreshThreads([1]);
    await settled();
    dropThread(2);
    server.threads = [thread(1, 'Harbour')];
    await answerAll(server);
    expect(shown()).toEqual(['Harbour']);
  });

  it('keeps what a screen still shows of a deleted thread, and asks for it at the next visit', async () => {
    const server = slowServer();
    const { queryKey } = threadQuery(2);
    queryClient.setQueryData(queryKey, thread(2, 'Tides'));
    const leave = new QueryObserver(queryClient, threadQuery(2)).subscribe(() => undefined);
    dropThread(2);
    await settled();
    expect(queryClient.getQueryData(queryKey)).toMatchObject({ title: 'Tides' });
    leave();
    expect(server.asked).toBe(0);
    expect(queryClient.getQueryState(queryKey)).toMatchObject({ isInvalidated: true });
  });

  it('shows a change that arrives during a full read', async () => {
    const server = slowServer();
    await showList(server, thread(1, 'Harbour'));
    const reading = queryClient.invalidateQueries({ queryKey: threadsQuery().queryKey, refetchType: 'all' });
    await settled();
    server.threads = [thread(2, 'Tides'), thread(1, 'Harbour')];
    void refreshThreads([2]);
    await settled();
    await answerAll(server);
    await reading;
    expect(shown()).toEqual(['Tides', 'Harbour']);
  });

  it('shows a change that arrives during the first read', async () => {
    const server = slowServer();
    const reading = queryClient.fetchInfiniteQuery(threadsQuery());
    await settled();
    server.threads = [thread(1, 'Harbour')];
    void refreshThreads([1]);
    await settled();
    await answerAll(server);
    await reading;
    expect(shown()).toEqual(['Harbour']);
  });

  it('reads a thread of a later page alone', async () => {
    const asked: string[] = [];
    const older = { ...thread(1, 'Harbour'), updatedAt: '2026-11-01T10:00:00.000Z' };
    const answers: Record<string, { body: unknown; next?: string }> = {
      '/api/chat/threads': { body: [thread(3, 'Quay')], next: 'a' },
      '/api/chat/threads?before=a': { body: [thread(2, 'Tides')], next: 'b' },
      '/api/chat/threads?before=b': { body: [older] },
      '/api/chat/threads/1': { body: { ...older, title: 'Port' } },
    };
    globalThis.fetch = async (given) => {
      const path = given as string;
      asked.push(path);
      const { body, next } = answers[path]!;
      const headers = new Headers(next ? { 'x-next-cursor': next } : {});
      return { ok: true, headers, text: async () => JSON.stringify(body) } as Response;
    };
    await queryClient.fetchInfiniteQuery({ ...threadsQuery(), pages: 3 });
    expect(shown()).toEqual(['Quay', 'Tides', 'Harbour']);
    asked.length = 0;
    await refreshThreads([1]);
    expect(shown()).toEqual(['Quay', 'Tides', 'Port']);
    expect(asked).toEqual(['/api/chat/threads', '/api/chat/threads/1']);
    answers['/api/chat/threads/1'] = { body: { ...older, isArchived: true } };
    await refreshThreads([1]);
    expect(shown()).toEqual(['Quay', 'Tides']);
  });

  it('is read once for all changes that arrive during a read', async () => {
    const server = slowServer();
    await showList(server, thread(1, 'Harbour'));
    server.asked = 0;
    for (let change = 0; change < 10; change += 1) void refreshThreads([1]);
    await settled();
    await answerAll(server);
    expect(server.asked).toBeLessThanOrEqual(2);
  });

  it('is marked as stale when a read fails, and read at the next change', async () => {
    const server = slowServer();
    await showList(server, thread(1, 'Harbour'));
    server.threads = [thread(1, 'Tides')];
    const failing = refreshThreads([1]);
    await settled();
    server.waiting.pop()?.(true);
    await failing;
    expect(queryClient.getQueryState(threadsQuery().queryKey)?.isInvalidated).toBe(true);
    void refreshThreads([1]);
    await settled();
    await answerAll(server);
    expect(shown()).toEqual(['Tides']);
  });
});
