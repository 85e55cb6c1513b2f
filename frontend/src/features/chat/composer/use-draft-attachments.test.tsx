import { jest } from '@jest/globals';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { User } from '@tanya/contract';
import { restoreDraft, attachImage, type UploadedFile } from '../../../app/state/composer-store';
import { serve } from '../../../app/api/fake-server';
import { currentUserQuery } from '../../../app/queries/user.query';
import { queryClient } from '../../../app/queries/query-client';

let loseSession: () => void = () => undefined;
jest.unstable_mockModule('../../../app/socket/socket', () => ({
  onEvent: () => undefined,
  onConnected: () => undefined,
  onSessionLost: (listener: () => void) => (loseSession = listener),
  reconnectSocket: () => undefined,
  useConnection: { subscribe: () => undefined },
}));

const { beginSession, endSession } = await import('../../../app/session/session-lifecycle');
const { startLiveUpdates } = await import('../../../app/sync/live-updates');
const { useAttachments } = await import('./use-attachments');
startLiveUpdates(() => undefined);

const user = (id: number) => ({ id, username: `user${id}` }) as User;
const after = (step: () => unknown) =>
  act(async () => {
    await step();
    // React Query has queued its notice of another owner by now, and the checks of the stored files are microtasks.
    await new Promise((resolve) => setTimeout(resolve));
  });
const pdf: UploadedFile = { kind: 'document', url: '/api/files/2', name: 'b.pdf', type: 'application/pdf', size: 7 };

/** Opens a composer on the page of a user, or of a guest. */
async function open(shown: User | null, conversation = 'draft-1') {
  queryClient.setQueryData(currentUserQuery.queryKey, shown);
  let renderings = 0;
  const { result, unmount } = renderHook(() => {
    renderings += 1;
    return useAttachments(conversation);
  });
  const shownFirst = result.current.list.map(({ name }) => name);
  await after(() => undefined);
  return {
    shownFirst,
    renderings: () => renderings,
    names: () => result.current.list.map(({ name }) => name),
    first: () => result.current.list[0],
    attach: (name: string, url = '/api/files/1') => after(() => attachImage({ url, name })),
    attachDocument: () => after(() => restoreDraft('', [pdf])),
    clear: () => after(() => result.current.clear()),
    unmount,
  };
}

beforeEach(() => {
  localStorage.clear();
  queryClient.clear();
  serve({ '/api/session': { user: null }, '/api/files/1': null, '/api/files/2': null, '/api/files/4': null });
});

test('restores an attachment for its owner and conversation only', async () => {
  const { attachDocument, unmount } = await open(user(1), '7');
  await attachDocument();
  unmount();
  expect((await open(user(1), '8')).names()).toEqual([]);
  expect((await open(user(2), '7')).names()).toEqual([]);
  expect((await open(user(1), '7')).first()).toMatchObject({ ...pdf, progress: 1, previewUrl: null, warning: null });
});

test('restores an attachment in the first rendering', async () => {
  const { attachDocument, unmount } = await open(user(1));
  await attachDocument();
  unmount();
  const { shownFirst, renderings } = await open(user(1));
  expect(shownFirst).toEqual(['b.pdf']);
  expect(renderings()).toBe(1);
});

test('does not restore attachments that were sent or removed', async () => {
  const { attach, clear, unmount } = await open(user(1));
  await attach('a.png');
  await clear();
  unmount();
  expect((await open(user(1))).names()).toEqual([]);
});

test('removes a file that the server has deleted', async () => {
  const { attach, attachDocument, unmount } = await open(user(1));
  await attach('gone.png', '/api/files/3');
  await attachDocument();
  unmount();
  const { names } = await open(user(1));
  await waitFor(() => expect(names()).toEqual(['b.pdf']));
});

test('a lost session clears the attachments and restores them for the same user', async () => {
  const { names, attach } = await open(user(1));
  await attach('a.png');
  await after(loseSession);
  await waitFor(() => expect(names()).toEqual([]));
  await after(() => beginSession(user(2)));
  expect(names()).toEqual([]);
  await after(() => beginSession(user(1)));
  await waitFor(() => expect(names()).toEqual(['a.png']));
});

test('a logout deletes the stored attachments', async () => {
  const { names, attach, unmount } = await open(user(1));
  await attach('a.png');
  await after(endSession);
  await waitFor(() => expect(names()).toEqual([]));
  unmount();
  expect(Object.keys(localStorage)).toEqual([]);
});

test('a login adds the attachments of the guest to those of the user', async () => {
  const left = await open(user(1));
  await left.attach('left.png', '/api/files/4');
  await left.attachDocument();
  left.unmount();
  const { names, attach, unmount } = await open(null);
  await attach('a.png');
  await after(() => beginSession(user(1)));
  await waitFor(() => expect(names()).toEqual(['a.png', 'left.png', 'b.pdf']));
  unmount();
  expect((await open(null)).names()).toEqual([]);
});
