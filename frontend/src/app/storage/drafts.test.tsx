import { serve } from '../api/fake-server';
import { queryClient } from '../queries/query-client';
import { threadQuery } from '../queries/threads.query';
import { dropThread } from '../sync/thread-list-cache';
import { readDraft, removeDrafts, writeDraft, writeDraftFiles, writeOwn } from './drafts';
import { hasDraftText } from '../session/has-draft-text';

beforeEach(() => localStorage.clear());

const storedKeys = () => Object.keys(localStorage).sort();

it('removes the values of one owner only', () => {
  const others = ['tanya.draft.guest.12', 'tanya.draft.user:11.new', 'tanya.other'];
  for (const key of ['tanya.draft.user:1.new', 'tanya.draft.user:1.image', ...others])
    localStorage.setItem(key, 'text');
  removeDrafts('user:1');
  expect(storedKeys()).toEqual(others);
});

it('shows an account its own draft and, below it, the draft written as a guest', () => {
  writeDraft('user:1', 'draft', 'mine');
  writeDraft('guest', 'draft', 'as a guest');
  expect(readDraft('user:1', 'draft')).toBe('mine\n\nas a guest');
  expect(readDraft('guest', 'draft')).toBe('as a guest');
});

it('replaces the guest’s draft once an account writes', () => {
  writeDraft('guest', '7', 'as a guest');
  writeDraft('user:1', '7', 'as a guest, finished');
  expect(storedKeys()).toEqual(['tanya.draft.user:1.7']);
});

it('finds the text of a draft, and neither other values nor those of another owner', async () => {
  writeOwn('user:1', 'image', { prompt: 'A ship' });
  writeDraftFiles('user:1', '7', [
    { kind: 'document', url: '/uploads/a.txt', name: 'a.txt', type: 'text/plain', size: 1, warning: null },
  ]);
  writeDraft('user:1', 'new', ' \n');
  writeDraft('user:11', '7', 'text');
  expect(await hasDraftText('user:1')).toBe(false);
  writeDraft('user:1', 'new', 'text');
  expect(await hasDraftText('user:1')).toBe(true);
});

it('does not find the draft of a thread that this page has read and that was deleted since', async () => {
  serve({ '/api/chat/threads/7': { id: 7 } });
  await queryClient.fetchQuery(threadQuery(7));
  writeDraft('user:1', '7', 'text');
  expect(await hasDraftText('user:1')).toBe(true);
  serve({});
  dropThread(7);
  expect(await hasDraftText('user:1')).toBe(false);
});
