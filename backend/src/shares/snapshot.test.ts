import type { Message, MessagePart } from '@tanya/contract';
import { sharedFileUrl, snapshotOf, toConversation } from './snapshot.js';

const toSnapshot = (messages: Message[], token: string, copies: Map<string, string>) =>
  messages.map(snapshotOf((id) => sharedFileUrl(token, id), copies));

const [ORIGINAL, COPY, SECOND] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];

const call = (callId: string, state: 'done' | 'running'): MessagePart => ({
  type: 'tool',
  callId,
  tool: 'calculator',
  title: 'Calculator',
  args: { expression: '1+1' },
  state,
  ...(state === 'done' ? { result: '2' } : {}),
});

const answer = (change: Partial<Message>): Message => ({
  id: 4711,
  threadId: 4712,
  parentId: 4713,
  content: 'Two.',
  isUserMessage: false,
  createdAt: '2026-11-22T05:00:00.000Z',
  status: 'complete',
  modelId: 'a/b',
  reasoning: 'Hm.',
  generationId: 'generation-4714',
  error: null,
  notice: null,
  feedback: { rating: 'down', reason: 'private' },
  siblingIds: [4711, 4715],
  ...change,
});

const PARTS: MessagePart[] = [
  { type: 'reasoning', text: 'Hm.', ms: 4 },
  call('provider-4716', 'done'),
  { type: 'image', url: `/api/files/${ORIGINAL}`, alt: 'a two' },
  { type: 'text', text: 'Two.' },
];

describe('a snapshot', () => {
  it('has the parts of answers with copies of images, and ids of calls of its own', () => {
    const messages = [answer({ parts: PARTS }), answer({ parts: [call('provider-4716', 'running')] })];
    const snapshot = toSnapshot(messages, 'token', new Map([[ORIGINAL, COPY]]));
    expect(snapshot[0]?.parts).toEqual([
      PARTS[0],
      { ...PARTS[1], callId: 'call00001' },
      { type: 'image', url: `/api/share/token/files/${COPY}`, alt: 'a two' },
      PARTS[3],
    ]);
    expect(snapshot[1]?.parts).toEqual([{ ...call('call00002', 'running'), state: 'interrupted' }]);
    expect(JSON.stringify(snapshot)).not.toMatch(/47\d\d|private|aaaaaaaa/);
  });

  it('quotes files of a project, and keeps neither their addresses nor what tools have read of them', () => {
    const place = { title: 'rules.pdf', label: 'page 5', quote: 'No dogs.' };
    const source = { type: 'source', index: 1, url: '/projects/4711/files/private?section=4', ...place } as const;
    const search = { ...call('provider-4716', 'done'), tool: 'search_project', result: 'private text' };
    const opened = {
      ...call('provider-4716', 'done'),
      tool: 'open_section',
      args: { file: 'private.pdf', section: 1 },
    };
    const failed = { ...opened, state: 'failed', error: 'The files are: "private.pdf".', result: undefined } as const;
    const parts: MessagePart[] = [search, { ...source, fileId: 'private', section: 4 }, opened, failed];
    const [message] = toSnapshot([answer({ parts })], 'token', new Map());
    expect(message?.parts?.[1]).toEqual({ type: 'source', index: 1, url: '', ...place });
    expect(message?.parts?.slice(2)).toMatchObject([
      { args: {}, state: 'done', result: '', truncated: true },
      { args: {}, state: 'failed' },
    ]);
    expect(JSON.stringify(message)).not.toMatch(/4711|private/);
  });

  it('has the public fields of errors, notices and the demo, and no technical cause', () => {
    const error = {
      code: 'provider_busy',
      message: 'Busy.',
      retryable: true,
      retryAfter: 3,
      cause: 'main key',
    } as const;
    const notices = [{ code: 'answer_length' as const }];
    const [message] = toSnapshot([answer({ status: 'error', error, notices, isDemo: true })], 'token', new Map());
    expect(message).toMatchObject({ notices, isDemo: true, status: 'error' });
    expect(message?.error).toEqual({ code: 'provider_busy', message: 'Busy.', retryable: true });
  });
});

it('becomes a conversation with its parts, and with copies of its own', () => {
  const snapshot = toSnapshot([answer({ parts: PARTS })], 'token', new Map([[ORIGINAL, COPY]]));
  const { messages, modelId, activeLeaf } = toConversation(
    'Two',
    snapshot,
    new Map([[COPY, SECOND]]),
    (id) => `/x/${id}`,
  );
  expect([modelId, activeLeaf]).toEqual(['a/b', 0]);
  expect(messages[0]?.parts[2]).toEqual({ type: 'image', url: `/x/${SECOND}`, alt: 'a two' });
  expect(messages[0]).toMatchObject({ parent: null, reasoning: 'Hm.', notices: null, status: 'complete' });
});
