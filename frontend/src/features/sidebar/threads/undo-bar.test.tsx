import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Thread } from '@tanya/contract';
import { queryClient } from '../../../app/queries/query-client';
import { FakePage } from '../../../components/layout/fake-page';
import { UndoBar } from './undo-bar';

const deleted = (id: number, title: string, msLeft = 14_000) =>
  ({ id, title, restorableUntil: new Date(Date.now() + msLeft).toISOString() }) as Thread;

/** A server with a trash in pages of at most 200 threads. `calls` are the bodies of its batches. */
function show(trash: Thread[]) {
  queryClient.clear();
  const calls: { action: string; ids: number[] }[] = [];
  globalThis.fetch = ((address: string, init?: RequestInit) => {
    let body: unknown = {};
    let cursor: string | null = null;
    if (address.includes('state=trash')) {
      const { searchParams } = new URL(address, 'http://tanya.test');
      const start = Number(searchParams.get('before') ?? 0);
      const end = start + Number(searchParams.get('limit') ?? 50);
      body = trash.slice(start, end);
      if (end < trash.length) cursor = String(end);
    }
    if (address.endsWith('/batch')) {
      const request = JSON.parse(init?.body as string) as { action: string; ids: number[] };
      calls.push(request);
      body = { ids: request.ids, skipped: [] };
    }
    return Promise.resolve({
      ok: true,
      status: 200,
      headers: { get: (name: string) => (name === 'X-Next-Cursor' ? cursor : null) },
      text: () => Promise.resolve(JSON.stringify(body)),
    });
  }) as unknown as typeof fetch;
  render(
    <FakePage>
      <UndoBar />
    </FakePage>,
  );
  return calls;
}

test('offers to restore what was deleted a moment ago, also before this page was loaded', async () => {
  const calls = show([deleted(4, 'Harbour')]);
  expect(await screen.findByText('“Harbour” deleted')).toBeDefined();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls).toEqual([{ action: 'restore', ids: [4] }]));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
});

test('takes several deletions back at once', async () => {
  const calls = show([deleted(4, 'Harbour'), deleted(5, 'Ferry')]);
  expect(await screen.findByText('2 chats deleted')).toBeDefined();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls).toEqual([{ action: 'restore', ids: [4, 5] }]));
});

test('counts and takes back a whole deletion, in batches that the server takes', async () => {
  const trash = Array.from({ length: 450 }, (_, at) => deleted(at + 1, `Chat ${at}`));
  const calls = show(trash);
  expect(await screen.findByText('450 chats deleted')).toBeDefined();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(calls.map(({ ids }) => ids.length)).toEqual([200, 200, 50]));
  expect(calls.flatMap(({ ids }) => ids)).toEqual(trash.map(({ id }) => id));
});

test('is empty without a deletion, and ends with its time', async () => {
  show([]);
  await act(() => new Promise((resolve) => setTimeout(resolve, 50)));
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  show([deleted(4, 'Harbour', 50)]);
  await screen.findByText('“Harbour” deleted');
  await waitFor(() => expect(screen.queryByText('“Harbour” deleted')).toBeNull());
});
