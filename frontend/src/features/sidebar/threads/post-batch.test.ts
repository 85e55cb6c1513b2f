import { THREAD_BATCH_MAX, type ThreadBatchRequest } from '@tanya/contract';
import { postBatch } from './post-batch';

const realFetch = globalThis.fetch;
afterEach(() => (globalThis.fetch = realFetch));

/** A server that deletes the threads of so many calls, and is then away. */
function answer(calls: number): void {
  globalThis.fetch = async (_, request) => {
    if (calls === 0) throw new TypeError('Failed to fetch');
    calls -= 1;
    const { ids } = JSON.parse(request!.body as string) as ThreadBatchRequest;
    return new Response(JSON.stringify({ ids, skipped: [], restorableUntil: 'soon' }));
  };
}

const ids = Array.from({ length: THREAD_BATCH_MAX + 5 }, (_, id) => id);

test('what was done before a failure is reported with it', async () => {
  answer(1);
  const done = await postBatch({ action: 'delete', ids });
  expect(done).toMatchObject({ restorableUntil: 'soon', failure: { code: 'network' } });
  expect(done.ids).toEqual(ids.slice(0, THREAD_BATCH_MAX));
});

test('a batch of which nothing was done fails', async () => {
  answer(0);
  await expect(postBatch({ action: 'delete', ids })).rejects.toMatchObject({ code: 'network' });
});
