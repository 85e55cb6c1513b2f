import type { Message, MessagePart } from '@tanya/contract';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { serve } from '../../../app/api/fake-server';
import { AiMessage } from './ai-message';
import { aiMessage, GENERATION_ID } from '../client/chat-fixtures';
import { emptyEntry } from '../client/generation-reducer';
import { streamingStore } from '../client/streaming-store';
import { ConversationContext } from '../shared/conversation-context';
import { FakePage } from '../../../components/layout/fake-page';

const noop = () => undefined;
const actions = {
  canSwitch: true,
  isIdle: true,
  continueAnswer: noop,
  regenerate: noop,
  edit: noop,
  showVersion: () => Promise.resolve(false),
  retry: noop,
  withdraw: noop,
};

interface ShownFields extends Partial<Message> {
  isNewest?: boolean;
}

function row(status: Message['status'], { content = '', isNewest = true, ...fields }: ShownFields = {}) {
  return (
    <FakePage>
      <ConversationContext value={actions}>
        <AiMessage message={aiMessage(2, 1, { status, content, ...fields })} isNewest={isNewest} />
      </ConversationContext>
    </FakePage>
  );
}

function show(...args: Parameters<typeof row>) {
  serve({ '/api/models': [] });
  return render(row(...args));
}

const has = (name: string) => screen.queryByRole('button', { name }) !== null;

test('a complete answer offers Regenerate', () => {
  show('complete');
  expect([has('Regenerate'), has('Retry')]).toEqual([true, false]);
});

test.each(['stopped', 'interrupted', 'error'] as const)('an answer with status %s offers Retry', (status) => {
  show(status);
  expect([has('Regenerate'), has('Retry')]).toEqual([false, true]);
});

test.each([
  { status: 'stopped', content: 'It began', isNewest: true, isOffered: true },
  { status: 'interrupted', content: 'It began', isNewest: true, isOffered: true },
  { status: 'stopped', content: '', isNewest: true, isOffered: false },
  { status: 'stopped', content: 'It began', isNewest: false, isOffered: false },
  { status: 'error', content: 'It began', isNewest: true, isOffered: false },
] as const)('Continue: $isOffered for $status with “$content”, newest: $isNewest', async (example) => {
  const { status, content, isNewest, isOffered } = example;
  show(status, { content, isNewest });
  if (content) await screen.findByText(content);
  expect([has('Continue'), has('Retry')]).toEqual([isOffered, true]);
});

test.each(['answer_length', 'answer_cut'] as const)('Continue is offered after the limit %s', async (code) => {
  show('complete', { content: 'It began', notice: 'It ended.', notices: [{ code }] });
  await screen.findByText('It began');
  expect([has('Continue'), has('Retry'), has('Regenerate')]).toEqual([true, false, true]);
});

test('an answer that ended at a limit of its length closes the markers that it left open', async () => {
  show('complete', { content: 'In short: **divide, comp', notice: 'It ended.', notices: [{ code: 'answer_length' }] });
  expect((await screen.findByText('divide, comp')).tagName).toBe('STRONG');
});

test('Continue is not offered after other notices', async () => {
  show('complete', { content: 'It began', notice: 'Cut.', notices: [{ code: 'message_cut' }] });
  await screen.findByText('It began');
  expect(has('Continue')).toBe(false);
});

test('an answer shows its rating, and offers a reason with it', async () => {
  show('complete', { content: 'Rated', feedback: { rating: 'down', reason: null } });
  await screen.findByText('Rated');
  const pressed = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-pressed');
  expect([pressed('Good answer'), pressed('Bad answer')]).toEqual(['false', 'true']);
  expect(has('Add a reason')).toBe(true);
});

test('an answer without a model cannot be rated', async () => {
  show('complete', { content: 'Imported', modelId: null });
  await screen.findByText('Imported');
  expect([has('Good answer'), has('Bad answer'), has('Copy message')]).toEqual([false, false, true]);
});

test('a failed answer shows its cause, which admins alone receive', () => {
  const error = { code: 'provider_error', message: 'The provider is not available.', retryable: true } as const;
  show('error', { error: { ...error, cause: 'OpenRouter: The provider refused the API key.' } });
  expect(screen.getByText(/The provider is not available\./)).toBeDefined();
  expect(screen.getByText(/OpenRouter: The provider refused the API key\./)).toBeDefined();
});

test('the elements of a text stay when a source and a call join it, and when the answer ends', async () => {
  const text: MessagePart = { type: 'text', text: 'A **harbour** is a place.' };
  const source: MessagePart = { type: 'source', index: 1, url: 'https://example.org/', title: 'On ships' };
  const call: MessagePart = { type: 'tool', callId: 'a', tool: 'x', title: 'Look it up', args: {}, state: 'done' };
  const stream = (...parts: MessagePart[]) =>
    act(() => {
      const entry = emptyEntry({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });
      streamingStore.store.setState({ entries: { [GENERATION_ID]: { ...entry, text: 'text', parts } } });
    });
  stream(text);
  const { rerender } = show('streaming');
  const word = await screen.findByText('harbour');
  stream(text, source);
  expect(await screen.findByRole('region', { name: 'Sources' })).toBeDefined();
  stream(text, source, call);
  expect(await screen.findByText('Look it up')).toBeDefined();
  expect(word.isConnected).toBe(true);
  rerender(row('complete', { content: text.text, parts: [text, source, call] }));
  expect(word.isConnected).toBe(true);
  stream();
});

describe('a failed answer', () => {
  const error = { code: 'provider_error' as const, message: 'The model provider had a problem.', retryable: true };

  test.each(['error', 'interrupted'] as const)(
    'with status %s offers its id, by which an admin finds the cause',
    async (status) => {
      const user = userEvent.setup();
      show(status, { error });
      await user.click(screen.getByRole('button', { name: 'Copy id' }));
      expect(await navigator.clipboard.readText()).toBe(GENERATION_ID);
      expect(screen.getByRole('button', { name: 'Copied!' })).toBeDefined();
    },
  );

  test('offers no id where none exists, and a complete one offers none', () => {
    show('error', { error, generationId: null });
    expect(has('Copy id')).toBe(false);
    show('complete');
    expect(has('Copy id')).toBe(false);
  });
});
