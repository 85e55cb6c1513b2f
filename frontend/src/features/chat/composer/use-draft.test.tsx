import { jest } from '@jest/globals';
import { act, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { User } from '@tanya/contract';
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

const { followLanguage } = await import('../../../app/language/follow-language');
const { showLanguage, useLanguage } = await import('../../../app/i18n/load-texts');
const { hasDraftText } = await import('../../../app/session/has-draft-text');
const { restoreDraft, insertIdea } = await import('../../../app/state/composer-store');
const { beginSession, endSession } = await import('../../../app/session/session-lifecycle');
const { startLiveUpdates } = await import('../../../app/sync/live-updates');
const { useDraft } = await import('./use-draft');
startLiveUpdates(() => undefined);
followLanguage();

const user = (id: number) => ({ id, username: `user${id}` }) as User;
/** Resolves when another owner has reached the page: React Query notifies in a task that it has queued by now. */
const settled = () => new Promise((resolve) => setTimeout(resolve));
const after = (step: () => unknown) =>
  act(async () => {
    await step();
    await settled();
  });
const inStorage = () => Object.keys(localStorage).filter((key) => key.startsWith('tanya.draft.'));

/** Opens a composer on the page of a user, or of a guest. */
function open(shown: User | null, conversation = 'draft-1') {
  queryClient.setQueryData(currentUserQuery.queryKey, shown);
  const { result, unmount } = renderHook(() => useDraft(conversation));
  return {
    text: () => result.current.text,
    type: (text: string) => after(() => result.current.setText(text)),
    unmount,
  };
}

beforeEach(() => {
  localStorage.clear();
  queryClient.clear();
  serve({ '/api/session': { user: null } });
});

test('restores a draft for its owner only', async () => {
  const write = open(user(1));
  await write.type('private');
  write.unmount();
  expect(open(user(2)).text()).toBe('');
  expect(open(null).text()).toBe('');
  expect(open(user(1)).text()).toBe('private');
});

test('a lost session clears the field and keeps the draft for the same user', async () => {
  const { text, type } = open(user(1));
  await type('private');
  await after(loseSession);
  await waitFor(() => expect(text()).toBe(''));
  await after(() => beginSession(user(2)));
  expect(text()).toBe('');
  await after(() => beginSession(user(1)));
  await waitFor(() => expect(text()).toBe('private'));
});

test('a logout clears the field and deletes all drafts of the user', async () => {
  const other = open(user(1), '7');
  await other.type('in a thread');
  other.unmount();
  const { text, type, unmount } = open(user(1));
  await type('private');
  await after(endSession);
  await waitFor(() => expect(text()).toBe(''));
  unmount();
  expect(inStorage()).toEqual([]);
});

test('a login appends the text of the guest to the draft of the user, and an edit stores it as theirs', async () => {
  localStorage.setItem('tanya.draft.user:1.new', 'left');
  const { text, type, unmount } = open(null);
  await type('as a guest');
  await after(() => beginSession(user(1)));
  await waitFor(() => expect(text()).toBe('left\n\nas a guest'));
  await type('one text');
  unmount();
  expect(inStorage()).toEqual(['tanya.draft.user:1.new']);
  expect(localStorage.getItem('tanya.draft.user:1.new')).toBe('one text');
});

test('text that is typed before the session is loaded stays in the field', async () => {
  localStorage.setItem('tanya.draft.user:1.new', 'left');
  const { result } = renderHook(() => useDraft('draft-1'));
  act(() => result.current.setText('quick'));
  await after(() => queryClient.setQueryData(currentUserQuery.queryKey, user(1)));
  await waitFor(() => expect(result.current.text).toBe('left\n\nquick'));
});

test('an idea is inserted below the text and replaces the previous idea', async () => {
  const { text, type } = open(null);
  await type('typed');
  await after(() => insertIdea('one idea'));
  expect(text()).toBe('typed\n\none idea');
  await after(() => insertIdea('another'));
  expect(text()).toBe('typed\n\nanother');
  await type('typed\n\nanother, changed');
  await after(() => insertIdea('third'));
  expect(text()).toBe('typed\n\nanother, changed\n\nthird');
});

test('an idea replaces the previous one in an empty field, and a restored message is inserted above it', async () => {
  const { text } = open(null);
  await after(() => insertIdea('one idea'));
  await after(() => insertIdea('another'));
  expect(text()).toBe('another');
  await after(() => restoreDraft('not sent', []));
  expect(text()).toBe('not sent\n\nanother');
});

test('a text that was typed a moment ago counts as a draft', async () => {
  const { type } = open(user(1));
  expect(await hasDraftText('user:1')).toBe(false);
  await type('newest');
  expect(await hasDraftText('user:1')).toBe(true);
});

test('another language, with which the page renders anew, keeps a text that was typed a moment ago', async () => {
  queryClient.setQueryData(currentUserQuery.queryKey, user(1));
  const Field = () => {
    const { text, setText } = useDraft('draft-1');
    return <input aria-label="Message" value={text} onChange={({ target }) => setText(target.value)} />;
  };
  const Page = () => <Field key={useLanguage(({ language }) => language)} />;
  render(<Page />);
  const field = () => screen.getByLabelText<HTMLInputElement>('Message');
  const before = field();
  fireEvent.change(before, { target: { value: 'newest' } });
  await act(() => showLanguage('id'));
  expect(field()).not.toBe(before);
  expect(field().value).toBe('newest');
  await act(() => showLanguage('spec'));
});
