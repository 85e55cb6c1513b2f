import { jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import { THREAD_BATCH_MAX, type ThreadAction, type ThreadBatchRequest } from '@tanya/contract';
import { FakeRoute } from '../../../components/layout/fake-route';
import { toaster } from '../../../components/feedback/toast-store';

jest.unstable_mockModule('../../../app/socket/socket', () => import('../../../app/socket/fake-socket'));
const { useBatch } = await import('./thread-batch');

const realFetch = globalThis.fetch;
const notices = jest.spyOn(toaster, 'create');
afterEach(() => {
  globalThis.fetch = realFetch;
  notices.mockReset();
});

const jsonAnswer = (body: unknown) =>
  ({ ok: true, status: 200, headers: new Map(), text: async () => JSON.stringify(body) }) as unknown as Response;

/** A server that does so many batches, and is then away. The first thread of each batch is skipped. */
function answer(batches: number): ThreadBatchRequest[] {
  const done: ThreadBatchRequest[] = [];
  globalThis.fetch = async (address, init) => {
    if (address !== '/api/chat/threads/batch') return jsonAnswer([]);
    if (done.length === batches) throw new TypeError('Failed to fetch');
    const request = JSON.parse(init!.body as string) as ThreadBatchRequest;
    done.push(request);
    const [first, ...ids] = request.ids;
    return jsonAnswer({ ids, skipped: [{ id: first, code: 'not_found' }] });
  };
  return done;
}

const lastNotice = () => notices.mock.lastCall![0];
const pressUndo = () => act(() => lastNotice().action!.onClick());

const ids = Array.from({ length: THREAD_BATCH_MAX + 5 }, (_, id) => id + 1);

async function runBatch(action: ThreadAction) {
  const onDone = jest.fn();
  const { result } = renderHook(() => useBatch(onDone), { wrapper: FakeRoute });
  await waitFor(() => expect(result.current).not.toBeNull());
  act(() => result.current.run(action, ids));
  await waitFor(() => expect(notices).toHaveBeenCalled());
  return onDone;
}

test.each([
  ['delete', 'restore'],
  ['archive', 'unarchive'],
] as const)('%s that fails half way says so, with a way back for what was done', async (action, back) => {
  answer(1);
  const onDone = await runBatch(action);
  expect(notices).toHaveBeenCalledTimes(1);
  expect(lastNotice()).toMatchObject({ type: 'error', action: { label: 'Undo' } });
  expect(onDone).not.toHaveBeenCalled();
  const undone = answer(1);
  pressUndo();
  await waitFor(() => expect(undone).toEqual([{ action: back, ids: ids.slice(1, THREAD_BATCH_MAX) }]));
});

test('an Undo that fails says so, and can be pressed again for what it did not reach', async () => {
  answer(2);
  await runBatch('delete');
  const deleted = ids.filter((_, index) => index % THREAD_BATCH_MAX !== 0);
  answer(1);
  pressUndo();
  await waitFor(() => expect(notices).toHaveBeenCalledTimes(2));
  expect(lastNotice()).toMatchObject({ title: 'The deletion could not be undone', type: 'error' });
  const undone = answer(1);
  pressUndo();
  await waitFor(() => expect(undone).toEqual([{ action: 'restore', ids: deleted.slice(THREAD_BATCH_MAX) }]));
});
