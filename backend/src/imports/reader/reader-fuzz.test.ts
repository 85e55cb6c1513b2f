import { Readable } from 'node:stream';
import fc from 'fast-check';
import { FUZZ_SEED, FUZZ_TIMEOUT_MS, fuzzRuns, mutatedJson } from '../../../test/fuzz/mutated-json.js';
import { buildTree } from './conversation-tree.js';
import { recognize } from './formats.js';
import { jsonElements } from './json-elements.js';
import { AccountConversations } from './tanya.js';
import { UnreadableExport } from './unreadable-export.js';

const FILES = fuzzRuns(2_000);

const chatGpt = {
  conversation_id: 'c1',
  title: 'A chat',
  create_time: 1_700_000_000.5,
  current_node: 'n2',
  mapping: {
    n1: {
      id: 'n1',
      parent: null,
      children: ['n2'],
      message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['Hi'] } },
    },
    n2: {
      id: 'n2',
      parent: 'n1',
      children: [],
      message: { author: { role: 'assistant' }, content: { content_type: 'text', parts: ['Hello', { a: 1 }] } },
    },
  },
};
const openWebUi = {
  id: 'w1',
  title: 'A chat',
  chat: {
    history: {
      currentId: 'm2',
      messages: {
        m1: { id: 'm1', parentId: null, childrenIds: ['m2'], role: 'user', content: 'Hi', timestamp: 1_700_000_000 },
        m2: { id: 'm2', parentId: 'm1', childrenIds: [], role: 'assistant', content: 'Hello', model: 'a' },
      },
    },
  },
};
const libreChat = {
  conversationId: 'l1',
  title: 'A chat',
  recursive: false,
  messages: [
    { messageId: 'm1', parentMessageId: '00000000-0000-0000-0000-000000000000', isCreatedByUser: true, text: 'Hi' },
    { messageId: 'm2', parentMessageId: 'm1', isCreatedByUser: false, content: [{ type: 'text', text: 'Hello' }] },
  ],
};
const claude = {
  uuid: 'k1',
  name: 'A chat',
  chat_messages: [
    {
      ...{ uuid: 'm1', sender: 'human', text: 'Hi', content: [{ type: 'text', text: 'Hi' }] },
      attachments: [{ file_name: 'a.pdf', extracted_content: 'text' }],
      files: [{ file_uuid: 'f1', file_name: 'b.png' }],
    },
    {
      ...{ uuid: 'm2', sender: 'assistant', parent_message_uuid: 'm1' },
      content: [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'text', text: 'See <antArtifact type="text/html" title="x">y</antArtifact>' },
        { type: 'tool_use', name: 'artifacts', input: { id: 'a', command: 'create', content: 'x', title: 'T' } },
        { type: 'tool_use', name: 'artifacts', input: { id: 'a', command: 'update', old_str: 'x', new_str: 'y' } },
      ],
    },
  ],
};
const grok = {
  conversation: { id: 'g1', title: 'A chat' },
  responses: [
    {
      response: { _id: 'r1', sender: 'human', message: 'Hi', create_time: { $date: { $numberLong: '1700000000000' } } },
    },
    {
      response: { _id: 'r2', sender: 'assistant', parent_response_id: 'r1', message: 'Hello', file_attachments: ['f'] },
    },
  ],
};
const deepSeek = {
  ...{ id: 'd1', title: 'A chat', inserted_at: '2026-01-01T00:00:00Z' },
  mapping: {
    root: { id: 'root', parent: null, children: ['1'], message: null },
    1: {
      ...{ id: '1', parent: 'root', children: ['2'] },
      message: { files: [{ file_name: 'a.txt' }], fragments: [{ type: 'REQUEST', content: 'Hi' }] },
    },
    2: { id: '2', parent: '1', children: [], message: { fragments: [{ type: 'RESPONSE', content: 'Hello' }] } },
  },
};
const typingMind = {
  chatID: 't1',
  chatTitle: 'A chat',
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
    },
    { role: 'assistant', content: 'Hello' },
  ],
};
const lobeChat = {
  data: {
    messages: [
      { id: 'm1', role: 'user', content: 'Hi', topicId: 't', createdAt: '2026-01-01T00:00:00Z' },
      { id: 'm2', role: 'assistant', content: 'Hello', topicId: 't', parentId: 'm1', reasoning: { content: 'Hm' } },
    ],
    topics: [{ id: 't', title: 'A chat' }],
    messagesFiles: [{ messageId: 'm1', fileId: 'f' }],
  },
};
const ownMessages = [
  { id: 1, threadId: 7, parentId: null, content: '{"text":"Hi","imageData":"/api/files/1"}', isUserMessage: true },
  {
    ...{ id: 2, threadId: 7, parentId: 1, content: 'Hello', isUserMessage: false, status: 'stopped', modelId: 'a/b' },
    error: { code: 'internal', message: 'No', retryable: true, params: { a: 1 } },
    notices: [{ code: 'message_cut', params: { a: 'b' } }],
    feedback: { rating: 'up', reason: 'Good' },
    parts: [
      {
        type: 'tool',
        callId: 'call_1',
        tool: 'add',
        title: 'Add',
        args: { x: [1] },
        state: 'done',
        result: '2',
        ms: 4,
      },
      { type: 'source', index: 1, url: 'https://example.org', title: 'One', snippet: 'x', quote: 'y' },
      { type: 'image', url: '/api/files/2', alt: '' },
      { type: 'text', text: 'Hello' },
    ],
  },
];
const DOCUMENTS = [
  [chatGpt, chatGpt],
  [openWebUi, chatGpt],
  libreChat,
  { conversations: [chatGpt] },
  [claude, claude],
  { conversations: [grok] },
  [deepSeek, deepSeek],
  { data: { chats: [typingMind] } },
  lobeChat,
  { account: {}, threads: [libreChat] },
  { title: 'A chat', messages: ownMessages },
  { account: {}, threads: [{ id: 7, title: 'A chat', tools: ['add'] }], messages: ownMessages },
];

it(
  `reads any file of conversations, in ${FILES} files`,
  async () => {
    await fc.assert(
      fc.asyncProperty(mutatedJson(DOCUMENTS), fc.integer({ min: 1, max: 200 }), async ({ text }, size) => {
        const bytes = Buffer.from(text);
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        );
        const account = new AccountConversations();
        try {
          for await (const element of jsonElements(Readable.from(pieces))) {
            if ('leftOut' in element) continue;
            const conversations =
              'value' in element
                ? (recognize(element.value)?.conversations ?? [])
                : [account.add(element.accountPart)].flatMap((conversation) => conversation ?? []);
            for (const conversation of conversations) {
              const { messages } = buildTree(conversation) ?? { messages: [] };
              // A question without an answer, or an answer without a question, gets an empty one.
              expect(messages.length).toBeLessThanOrEqual(2 * conversation.nodes.length);
            }
          }
        } catch (error) {
          if (!(error instanceof UnreadableExport)) throw error;
        }
      }),
      { seed: FUZZ_SEED, numRuns: FILES },
    );
  },
  FUZZ_TIMEOUT_MS,
);
