import type { PublicSettings, User } from '@tanya/contract';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { matchOnly } from '../../../app/browser/fake-media';
import { queryClient } from '../../../app/queries/query-client';
import { threadQuery, threadsQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { sari } from '../../../app/session/fake-user';
import { refreshThreads } from '../../../app/sync/thread-refresh';
import { closeDialog, useDialogs } from '../../../app/state/dialogs';
import { useDocumentTitle } from '../../../components/layout/use-page-title';
import ThreadTools from './thread-tools';
import { FakePage } from '../../../components/layout/fake-page';

const thread = (id: number, title: string) => ({ id, title, userId: 7, updatedAt: '2026-11-22T04:57:31.000Z' });
const answers: Record<string, unknown> = {};

function Page({ threadId }: { threadId: number | null }) {
  useDocumentTitle();
  return threadId === null ? null : <ThreadTools threadId={threadId} />;
}

async function show(user: User | null, settings: Partial<PublicSettings> = {}) {
  queryClient.clear();
  for (const path of Object.keys(answers)) delete answers[path];
  Object.assign(answers, {
    '/api/general-settings': { siteTitle: 'Harbour Help', ...settings },
    '/api/chat/threads': [thread(1, 'Rainbows')],
    '/api/chat/threads/2': thread(2, 'Tides'),
  });
  serve(answers);
  queryClient.setQueryData(currentUserQuery.queryKey, user);
  if (user) await queryClient.fetchInfiniteQuery(threadsQuery());
  const page = (threadId: number | null) => (
    <FakePage>
      <Page threadId={threadId} />
    </FakePage>
  );
  const { rerender } = render(page(1));
  return (threadId: number | null) => rerender(page(threadId));
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name });

test('the title of a listed thread is the heading and precedes the site title', async () => {
  const open = await show(sari);
  await heading('Rainbows');
  await waitFor(() => expect(document.title).toBe('Rainbows · Harbour Help'));
  open(null);
  await waitFor(() => expect(document.title).toBe('Harbour Help'));
});

test('the title of a thread outside of the list is read, and read again when it changes', async () => {
  const open = await show(sari);
  open(2);
  await heading('Tides');
  answers['/api/chat/threads/2'] = thread(2, 'Spring tides');
  await act(() => refreshThreads([2]));
  await heading('Spring tides');
});

test('a member shares the thread by a button, on the narrowest phone by the menu', async () => {
  const user = userEvent.setup({ delay: null });
  await show(sari);
  await user.click(await screen.findByRole('button', { name: 'Share chat' }));
  expect(useDialogs.getState()).toMatchObject({ open: 'share', threadId: 1 });
  act(closeDialog);
  act(cleanup);
  matchOnly('(max-width: 23.9975rem)');
  await show(sari);
  await user.click(await screen.findByRole('button', { name: 'Chat options' }));
  expect(screen.queryByRole('button', { name: 'Share chat' })).toBeNull();
  await user.click(await screen.findByRole('menuitem', { name: 'Share chat' }));
  await waitFor(() => expect(useDialogs.getState()).toMatchObject({ open: 'share', threadId: 1 }));
  act(closeDialog);
  matchOnly();
});

test('the menu of a member archives and deletes the open chat; that of a guest, who has no list, does not', async () => {
  const user = userEvent.setup({ delay: null });
  await show(sari);
  await user.click(await screen.findByRole('button', { name: 'Chat options' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await waitFor(() => expect(useDialogs.getState()).toMatchObject({ open: 'delete', thread: { id: 1 } }));
  act(closeDialog);
  answers['/api/chat/threads/1'] = { ...thread(1, 'Rainbows'), isArchived: true };
  answers['/api/chat/threads'] = [];
  const calls: string[] = [];
  const served = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    calls.push(`${init?.method} ${address as string}`);
    return served(address, init);
  };
  await user.click(screen.getByRole('button', { name: 'Chat options' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Archive' }));
  // The archived chat has left the list, which the frame of the page reads, and keeps its title without a read of its own.
  await act(() => queryClient.fetchInfiniteQuery({ ...threadsQuery(), staleTime: 0 }));
  await waitFor(() => expect(queryClient.getQueryData(threadQuery(1).queryKey)).toMatchObject({ isArchived: true }));
  await heading('Rainbows');
  expect(calls).not.toContain('GET /api/chat/threads/1');
  await user.click(screen.getByRole('button', { name: 'Chat options' }));
  await screen.findByRole('menuitem', { name: 'Delete' });
  expect(screen.queryByRole('menuitem', { name: 'Archive' })).toBeNull();
  act(cleanup);
  await show(null);
  await user.click(await screen.findByRole('button', { name: 'Chat options' }));
  await screen.findByRole('menuitem', { name: 'Find in this chat' });
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull();
});

test('a guest and a member of a site without sharing have no button', async () => {
  await show(null);
  await screen.findByRole('button', { name: 'Chat options' });
  expect(screen.queryByRole('button', { name: 'Share chat' })).toBeNull();
  act(cleanup);
  await show(sari, { sharingEnabled: false });
  await screen.findByRole('button', { name: 'Chat options' });
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Share chat' })).toBeNull());
});

test('a member renames the thread by a click on its title', async () => {
  const user = userEvent.setup({ delay: null });
  await show(sari);
  await user.click(await screen.findByRole('button', { name: 'Rainbows' }));
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' });
  expect(document.activeElement).toBe(field);
  answers['/api/chat/threads/1'] = thread(1, 'Bows');
  await user.keyboard('  Bows {Enter}');
  const button = await screen.findByRole('button', { name: 'Bows' });
  expect(document.activeElement).toBe(button);
  await waitFor(() => expect(document.title).toBe('Bows · Harbour Help'));
  await heading('Bows');
});

test('Escape and a blank title keep the title, and leaving the field stores it', async () => {
  const user = userEvent.setup({ delay: null });
  await show(sari);
  answers['/api/chat/threads/1'] = { statusCode: 500, code: 'internal', message: 'No.' };
  await user.click(await screen.findByRole('button', { name: 'Rainbows' }));
  await user.keyboard('Other{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Rainbows' }));
  await user.keyboard('   {Enter}');
  await user.click(await screen.findByRole('button', { name: 'Rainbows' }));
  answers['/api/chat/threads/1'] = thread(1, 'Left');
  await user.keyboard('Left');
  await user.click(document.body);
  expect(await screen.findByRole('button', { name: 'Left' })).toBeDefined();
  expect(document.activeElement).toBe(document.body);
});

test('a guest, who has no list, sees the title too', async () => {
  const open = await show(null);
  open(2);
  await heading('Tides');
  await waitFor(() => expect(document.title).toBe('Tides · Harbour Help'));
});
