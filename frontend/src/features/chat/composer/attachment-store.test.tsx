import { jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { StoredFile, User } from '@tanya/contract';
import { serve } from '../../../app/api/fake-server';
import { queryClient } from '../../../app/queries/query-client';
import { currentUserQuery } from '../../../app/queries/user.query';
import { loadLate } from '../../../components/lazy/load-late';

const started: { end: () => void; signal: AbortSignal }[] = [];
jest.unstable_mockModule('../../../app/api/upload', () => ({
  upload: ({ name, type, size }: File, { signal }: { signal: AbortSignal }) =>
    new Promise<StoredFile>((resolve) => {
      const end = () => resolve({ id: name, url: `/api/files/${name}`, name, type, size });
      started.push({ end, signal });
    }),
}));

const { useAttachments } = await import('./use-attachments');
const { reportLogout } = await import('../../../app/session/page-owner');
const { removeDrafts, readDraftFiles } = await import('../../../app/storage/drafts');

const revoked: string[] = [];

/** Takes a step and resolves when the page has handled it. */
const after = (step: () => unknown) =>
  act(async () => {
    await step();
    // A step that attaches a file has begun this load earlier.
    await loadLate(() => import('./uploads'));
    // React Query has queued its notice of another owner by now, and the steps of an upload are microtasks.
    await new Promise((resolve) => setTimeout(resolve));
  });

async function open(conversation: string) {
  const { result, unmount } = renderHook(() => useAttachments(conversation));
  await after(() => undefined);
  return {
    list: () => result.current.list.map(({ name, url }) => [name, url !== null]),
    isUploading: () => result.current.isUploading,
    /** Attaches a file and resolves when its upload has started. */
    attach: async (name: string, type = 'text/plain') => {
      const before = started.length;
      await after(() => result.current.add([new File(['x'], name, { type })]));
      await waitFor(() => expect(started).toHaveLength(before + 1));
    },
    choose: (name: string) => result.current.add([new File(['x'], name)]),
    unmount,
    leave: () => after(unmount),
  };
}

const draft = (conversation: string) => readDraftFiles('user:1', conversation).map(({ name }) => name);

beforeEach(() => {
  localStorage.clear();
  started.length = 0;
  revoked.length = 0;
  serve({ '/api/files/a.txt': null });
  // Not in jsdom.
  Blob.prototype.arrayBuffer = () => Promise.resolve(new ArrayBuffer(1));
  URL.createObjectURL = () => 'blob:preview';
  URL.revokeObjectURL = (url) => void revoked.push(url);
  queryClient.setQueryData(currentUserQuery.queryKey, { id: 1 } as User);
});

describe('a file that uploads while its conversation is left', () => {
  it('is in the draft after the end of the upload', async () => {
    const left = await open('7');
    await left.attach('a.txt');
    await left.leave();
    expect(draft('7')).toEqual([]);
    await after(() => started[0]?.end());
    await waitFor(() => expect(draft('7')).toEqual(['a.txt']));
    expect((await open('7')).list()).toEqual([['a.txt', true]]);
  });

  it('still uploads when the conversation is opened again, and not in another conversation', async () => {
    const left = await open('8');
    await left.attach('a.txt');
    await left.leave();
    const other = await open('9');
    expect([other.list(), other.isUploading()]).toEqual([[], false]);
    await other.leave();
    const again = await open('8');
    expect([again.list(), again.isUploading()]).toEqual([[['a.txt', false]], true]);
    await after(() => started[0]?.end());
    await waitFor(() => expect([again.list(), again.isUploading()]).toEqual([[['a.txt', true]], false]));
  });

  it('is in the draft when the conversation was left twice before the end of the upload', async () => {
    for (const attach of [true, false]) {
      const left = await open('12');
      if (attach) await left.attach('a.txt');
      await left.leave();
    }
    await after(() => started[0]?.end());
    await waitFor(() => expect(draft('12')).toEqual(['a.txt']));
    expect((await open('12')).list()).toEqual([['a.txt', true]]);
  });

  it('is dropped by a logout', async () => {
    const left = await open('10');
    await left.attach('a.txt');
    await left.leave();
    await after(() => {
      reportLogout();
      removeDrafts('user:1');
    });
    await waitFor(() => expect(started[0]?.signal.aborted).toBe(true));
    await after(() => started[0]?.end());
    expect(draft('10')).toEqual([]);
  });

  it('is dropped when another account logs in, and the stored files stay in the draft', async () => {
    const left = await open('13');
    await left.attach('a.txt');
    await left.attach('b.txt');
    await after(() => started[0]?.end());
    await waitFor(() => expect(draft('13')).toEqual(['a.txt']));
    await left.leave();
    await after(() => queryClient.setQueryData(currentUserQuery.queryKey, { id: 2 } as User));
    await waitFor(() => expect(started[1]?.signal.aborted).toBe(true));
    expect(draft('13')).toEqual(['a.txt']);
  });

  it('keeps the preview of a picture until the end of the upload', async () => {
    const left = await open('11');
    await left.attach('a.png', 'image/png');
    await left.leave();
    expect(revoked).toEqual([]);
    await after(() => started[0]?.end());
    await waitFor(() => expect(revoked).toEqual(['blob:preview']));
  });
});

test.each([true, false])('a file is not uploaded as another account (left: %s)', async (isLeft) => {
  const page = await open('14');
  // The code of uploads is ready after the login.
  await after(() => {
    page.choose('a.txt');
    if (isLeft) page.unmount();
    queryClient.setQueryData(currentUserQuery.queryKey, { id: 2 } as User);
  });
  expect(started).toEqual([]);
});
