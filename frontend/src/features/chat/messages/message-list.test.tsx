import { jest } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { userMessage } from '../client/chat-fixtures';
import { type ConversationActions, ConversationContext } from '../shared/conversation-context';
import { markEditing, requestEdit, useEditRequest } from '../shared/edit-request-store';
import { toItems } from './conversation-view';
import { FakePage } from '../../../components/layout/fake-page';

jest.unstable_mockModule('../../../app/socket/socket', () => import('../../../app/socket/fake-socket'));
const { MessageList } = await import('./message-list');
const { UserMessage } = await import('./user-message');

const messages = Array.from({ length: 100 }, (_, index) => userMessage(index + 1, null));
const loaded = { hasOlder: false, isLoadingOlder: false, loadOlder: () => undefined };

function Page({ children }: { children: ReactNode }) {
  return (
    <FakePage>
      <ConversationContext value={{ isIdle: true } as ConversationActions}>{children}</ConversationContext>
    </FakePage>
  );
}

test('a long conversation keeps the rows that are being edited mounted, and only while they are', () => {
  render(
    <Page>
      <MessageList items={toItems(messages, [])} loaded={loaded} />
    </Page>,
  );
  expect(screen.queryByText('question 70')).toBeNull();
  let end: () => void = () => undefined;
  act(() => void (end = markEditing(70)));
  expect(screen.getByText('question 70')).toBeDefined();
  act(() => end());
  expect(screen.queryByText('question 70')).toBeNull();
});

test('a message is marked from the start of its editing to its end', () => {
  const editing = () => useEditRequest.getState().editing;
  render(
    <Page>
      <UserMessage message={userMessage(1, null)} />
    </Page>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
  expect(editing()).toEqual([1]);
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(editing()).toEqual([]);
});

test('the editing that another part of the page asks for begins with its text', () => {
  const message = (
    <Page>
      <UserMessage message={userMessage(1, null)} />
    </Page>
  );
  const { unmount } = render(message);
  const text = () => screen.getByLabelText<HTMLTextAreaElement>('Edit your message').value;
  act(() => requestEdit(1, 'a better question'));
  expect(text()).toBe('a better question');
  // Nothing else has the text.
  unmount();
  render(message);
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
  expect(text()).toBe('a better question');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  act(() => requestEdit(1));
  expect(text()).toBe('question 1');
});

test('an edited text that was neither sent nor cancelled is offered again', () => {
  const message = (
    <Page>
      <UserMessage message={userMessage(1, null)} />
    </Page>
  );
  const { unmount } = render(message);
  const open = () => fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
  const field = () => screen.getByLabelText<HTMLTextAreaElement>('Edit your message');
  open();
  fireEvent.change(field(), { target: { value: 'a better question' } });
  unmount();
  render(message);
  open();
  expect(field().value).toBe('a better question');
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  open();
  expect(field().value).toBe('question 1');
});

test('a message without text has nothing to copy', () => {
  const content = JSON.stringify({ text: '', fileUrl: '/uploads/a.txt', fileName: 'a.txt', fileType: 'text/plain' });
  render(
    <Page>
      <UserMessage message={userMessage(1, null, content)} />
      <UserMessage message={userMessage(2, null, 'halo')} />
    </Page>,
  );
  expect(screen.getAllByRole('button', { name: 'Copy message' })).toHaveLength(1);
});
