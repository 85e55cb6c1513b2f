import { jest } from '@jest/globals';
import { LIMITS } from '@tanya/contract';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { matchOnly } from '../../../app/browser/fake-media';
import { TOUCH_ONLY } from '../../../app/browser/media-queries';
import { toaster } from '../../../components/feedback/toast-store';
import { currentUserQuery } from '../../../app/queries/user.query';
import { queryClient } from '../../../app/queries/query-client';
import { Composer } from './composer';
import type { ComposedMessage } from '../shared/message-content';
import type { Attachment } from './attachment';
import { FakeTheme } from '../../../components/layout/fake-theme';

const noAttachments = {
  isUploading: false,
  hasFailed: false,
  add: () => undefined,
  addText: () => undefined,
  retry: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
};

const picture: Attachment = {
  id: '1',
  kind: 'image',
  name: 'a.png',
  type: 'image/png',
  size: 10,
  previewUrl: null,
  progress: 0,
  url: null,
  error: null,
  warning: null,
};

interface State {
  isSending?: boolean;
  answering?: string;
  isUploading?: boolean;
  hasFailed?: boolean;
  list?: Attachment[];
}

function show(state: State = {}) {
  const sent: ComposedMessage[] = [];
  const stops: true[] = [];
  const edits: true[] = [];
  const texts: string[] = [];
  const files: File[] = [];
  const view = ({ isUploading = false, hasFailed = false, list = [] }: State = state) => (
    <FakeTheme>
      <Composer
        conversation="1"
        attachments={{
          ...noAttachments,
          isUploading,
          hasFailed,
          list,
          addText: (text) => texts.push(text),
          add: (added) => files.push(...added),
        }}
        isSending={state.isSending ?? false}
        answering={state.answering ?? null}
        onSend={(message) => sent.push(message)}
        onStop={() => stops.push(true)}
        onEditLast={() => edits.push(true) > 0}
        status={null}
      />
    </FakeTheme>
  );
  const { rerender } = render(view());
  return {
    sent,
    stops,
    edits,
    texts,
    files,
    field: screen.getByLabelText<HTMLTextAreaElement>('Message'),
    user: userEvent.setup(),
    endUpload: (after: State = {}) => rerender(view({ isUploading: false, ...after })),
  };
}

beforeEach(() => {
  localStorage.clear();
  queryClient.setQueryData(currentUserQuery.queryKey, null);
});

test('Enter sends the text and clears the field', async () => {
  const { sent, field, user } = show();
  await user.type(field, 'halo{Enter}');
  expect(sent).toEqual([{ text: 'halo', files: [] }]);
  expect(field.value).toBe('');
});

test('Ctrl, Cmd and Shift with Enter insert a line break', async () => {
  const { sent, field, user } = show();
  await user.type(field, 'a{Control>}{Enter}{/Control}b{Meta>}{Enter}{/Meta}c{Shift>}{Enter}{/Shift}d');
  expect(field.value).toBe('a\nb\nc\nd');
  expect(sent).toEqual([]);
});

test.each([
  ['during the composition', { isComposing: true, keyCode: 13 }],
  ['after it, as in Safari', { keyCode: 229 }],
])('Enter of an input method does not send (%s)', async (_, of) => {
  const { sent, field, user } = show();
  await user.type(field, '変換');
  fireEvent.keyDown(field, { key: 'Enter', ...of });
  expect([field.value, sent]).toEqual(['変換', []]);
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 13 });
  expect(sent).toEqual([{ text: '変換', files: [] }]);
});

test('Enter inserts a line break on touch devices, and the button sends', async () => {
  matchOnly(TOUCH_ONLY);
  const { sent, field, user } = show();
  await user.type(field, 'a{Enter}b');
  expect([field.value, sent]).toEqual(['a\nb', []]);
  await user.click(screen.getByRole('button', { name: 'Send message' }));
  expect(sent).toEqual([{ text: 'a\nb', files: [] }]);
  matchOnly();
});

test('does not send a blank text', async () => {
  const { sent, field, user } = show();
  await user.type(field, '   {Enter}');
  expect(sent).toEqual([]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send message' }).disabled).toBe(true);
});

test('the field is disabled until the ack', () => {
  expect(show({ isSending: true }).field.disabled).toBe(true);
});

test('the user can type and stop during an answer; a message is sent for the time after it', async () => {
  const { sent, stops, field, user } = show({ answering: 'g' });
  await user.type(field, 'next{Enter}');
  await user.type(field, 'last');
  await user.click(await screen.findByRole('button', { name: 'Send after this answer' }));
  expect(sent.map(({ text }) => text)).toEqual(['next', 'last']);
  expect(field.value).toBe('');
  await user.click(screen.getByRole('button', { name: 'Stop generating' }));
  expect(stops).toHaveLength(1);
});

test('the user can deny the calls that wait, and send at once', async () => {
  const { streamingStore } = await import('../client/streaming-store');
  const { chatClient } = await import('../client/chat-client-singleton');
  const stop = jest.spyOn(chatClient, 'stop').mockResolvedValue({ status: 'stopped' });
  const answer = { generationId: 'g', threadId: 1, messageId: 2, lastSeq: 1, text: '', reasoning: '' };
  const call = { type: 'tool', callId: 'a', tool: 'search', title: 'Search', args: {} } as const;
  const { sent, field, user } = show({ answering: 'g' });
  act(() => streamingStore.store.setState({ entries: { g: { ...answer, parts: [{ ...call, state: 'running' }] } } }));
  await user.type(field, 'next');
  expect(screen.queryByRole('button', { name: 'Deny and send' })).toBeNull();
  act(() => streamingStore.store.setState({ entries: { g: { ...answer, parts: [{ ...call, state: 'waiting' }] } } }));
  await user.click(await screen.findByRole('button', { name: 'Deny and send' }));
  await waitFor(() => expect(sent).toEqual([{ text: 'next', files: [] }]));
  expect(stop.mock.calls).toEqual([['g']]);
  expect(field.value).toBe('');
  streamingStore.store.setState({ entries: {} });
});

test('Deny and send keeps what is typed until the calls are denied, and does not send it', async () => {
  const { streamingStore } = await import('../client/streaming-store');
  const { chatClient } = await import('../client/chat-client-singleton');
  let end: () => void = () => undefined;
  const stopped = new Promise<{ status: 'stopped' }>((resolve) => (end = () => resolve({ status: 'stopped' })));
  jest.spyOn(chatClient, 'stop').mockReturnValue(stopped);
  const call = { type: 'tool', callId: 'a', tool: 'search', title: 'Search', args: {}, state: 'waiting' } as const;
  const answer = { generationId: 'g', threadId: 1, messageId: 2, lastSeq: 1, text: '', reasoning: '', parts: [call] };
  const { sent, field, user } = show({ answering: 'g' });
  act(() => streamingStore.store.setState({ entries: { g: answer } }));
  await user.type(field, 'next');
  await user.click(await screen.findByRole('button', { name: 'Deny and send' }));
  await user.type(field, ' one');
  await act(async () => {
    end();
    await stopped;
  });
  expect([sent, field.value]).toEqual([[], 'next one']);
  act(() => streamingStore.store.setState({ entries: {} }));
});

test('Enter during an upload sends once after the upload, unless the text was changed meanwhile', async () => {
  const early = show({ isUploading: true });
  await early.user.type(early.field, 'look{Enter}{Enter}');
  expect(early.sent).toEqual([]);
  early.endUpload();
  expect(early.sent).toEqual([{ text: 'look', files: [] }]);
  expect(early.field.value).toBe('');
  document.body.replaceChildren();

  const changed = show({ isUploading: true });
  await changed.user.type(changed.field, 'look{Enter} here');
  changed.endUpload();
  expect(changed.sent).toEqual([]);
  expect(changed.field.value).toBe('look here');
});

test('Enter during an upload that fails sends nothing, keeps the text and names what to do', async () => {
  const { sent, field, user, endUpload } = show({ isUploading: true, list: [picture] });
  await user.type(field, 'look{Enter}');
  endUpload({ hasFailed: true, list: [{ ...picture, error: 'The server is not available.' }] });
  const reason = 'Upload again or remove the files that failed';
  expect(screen.getByText(reason)).toBeDefined();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send message' }).title).toBe(reason);
  expect(sent).toEqual([]);
  expect(field.value).toBe('look');
});

test('shows that sending waits for the upload and enables it afterwards', async () => {
  const { sent, field, user, endUpload } = show({ isUploading: true });
  await user.type(field, 'look');
  expect(screen.getByRole('status').textContent).toBe('Sending waits for the upload');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Send message' });
  expect([button.disabled, button.title]).toEqual([true, 'Sending waits for the upload']);

  endUpload();
  expect(screen.getByRole('status').textContent).toBe('');
  await user.type(field, '{Enter}');
  expect(sent).toEqual([{ text: 'look', files: [] }]);
});

test('a long paste, and one over the limit of a message, becomes a file and stays out of the field', async () => {
  const { texts, field, user } = show();
  await user.type(field, 'read ');
  const long = 'x'.repeat(4_001);
  await user.paste(long);
  fireEvent.change(field, { target: { value: `read ${'y'.repeat(LIMITS.messageText - 6)}` } });
  await user.paste('over');
  expect(texts).toEqual([long, 'over']);
  fireEvent.change(field, { target: { value: 'read ' } });
  expect(field.value).toBe('read ');
  await user.paste('this');
  expect(field.value).toBe('read this');
});

describe('a paste with a picture', () => {
  const image = new File(['pixels'], 'image.png', { type: 'image/png' });
  const document = new File(['a'], 'a.pdf', { type: 'application/pdf' });

  /** Pastes files beside texts; @returns the attached files and whether the browser inserts the text */
  const paste = (files: File[], texts: Record<string, string>) => {
    const { files: attached, field } = show();
    const clipboardData = {
      files,
      types: [...Object.keys(texts), 'Files'],
      getData: (type: string) => texts[type] ?? '',
    };
    return { attached, isText: fireEvent.paste(field, { clipboardData }) };
  };

  it.each(['text/html', 'text/rtf'])('inserts the text of an office program (%s)', (format) => {
    const { attached, isText } = paste([image], { 'text/plain': 'A1\tB1', [format]: '<table>' });
    expect([attached, isText]).toEqual([[], true]);
  });

  it.each([
    ['of a web page', [image], { 'text/html': '<img>' }],
    ['of a file on macOS', [image], { 'text/plain': 'image.png' }],
    ['beside a document', [image, document], { 'text/plain': 'both', 'text/html': 'both' }],
  ])('attaches the picture %s', (_, files, texts) => {
    const { attached, isText } = paste(files, texts);
    expect([attached, isText]).toEqual([files, false]);
  });
});

test('a text over the limit is not sent and shows the limit', async () => {
  const { sent, field, user } = show();
  fireEvent.change(field, { target: { value: 'x'.repeat(LIMITS.messageText + 1) } });
  await user.click(field);
  await user.keyboard('{Enter}');
  expect(sent).toEqual([]);
  expect(screen.getByText(/Shorten the text to send it/)).toBeDefined();
});

test('an empty field has the direction of the page, as its placeholder does', () => {
  const { field } = show();
  expect(field.hasAttribute('dir')).toBe(false);
  fireEvent.change(field, { target: { value: 'ש' } });
  expect(field.dir).toBe('auto');
});

test('a text over the limit has a fixed direction, taken from its first letter', () => {
  const { field } = show();
  const change = (value: string) => fireEvent.change(field, { target: { value } });
  change('1. ' + 'ש'.repeat(LIMITS.messageText - 3));
  expect(field.dir).toBe('auto');
  change('1. ' + 'ש'.repeat(LIMITS.messageText - 2));
  expect(field.dir).toBe('rtl');
  change('x'.repeat(LIMITS.messageText + 1));
  expect(field.dir).toBe('ltr');
});

test('refuses a text far over the limit that does not come from a paste, such as a drop, and names the limit', async () => {
  const toasts = jest.spyOn(toaster, 'create');
  const { field } = show();
  fireEvent.change(field, { target: { value: 'typed' } });
  fireEvent.change(field, { target: { value: `typed${'x'.repeat(LIMITS.messageText * 4)}` } });
  expect(field.value).toBe('typed');
  const description = '128,005 of 32,000 characters. Shorten the text to send it.';
  await waitFor(() => expect(toasts).toHaveBeenCalledWith(expect.objectContaining({ description, type: 'error' })));
});

test('the field grows and shrinks with its text in a browser without field-sizing', () => {
  const supports = jest.spyOn(CSS, 'supports').mockReturnValue(false);
  const heightOf = ({ value, style }: HTMLTextAreaElement) => (style.height ? 0 : value.split('\n').length * 24);
  const scrollHeight = jest.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function (
    this: HTMLTextAreaElement,
  ) {
    return heightOf(this);
  });
  const { field } = show();
  const heights = ['a\nb\nc', 'a', 'x'.repeat(LIMITS.messageText + 1)].map((value) => {
    fireEvent.change(field, { target: { value } });
    return field.style.height;
  });
  expect(heights).toEqual(['72px', '24px', '']);
  scrollHeight.mockRestore();
  supports.mockRestore();
});

test('restores the draft on the next visit', async () => {
  const { field, user } = show();
  await user.type(field, 'unsent');
  document.body.replaceChildren();
  window.dispatchEvent(new Event('pagehide'));
  expect(show().field.value).toBe('unsent');
});

describe('Arrow-up', () => {
  it('edits the last message while the field is empty', async () => {
    const { edits, field, user } = show();
    await user.type(field, '{ArrowUp}');
    expect(edits).toHaveLength(1);
  });

  it('moves the caret in a text, and does nothing with other keys held or with an attachment', async () => {
    const { edits, field, user } = show();
    await user.type(field, 'a{ArrowUp}');
    await user.clear(field);
    await user.type(field, '{Shift>}{ArrowUp}{/Shift}{Control>}{ArrowUp}{/Control}');
    expect(edits).toEqual([]);
  });
});
