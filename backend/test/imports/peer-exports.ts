/*
 * Exports of other programs as their users report them: what they contain beside questions and answers.
 */

import { CHATGPT_KINDS, type Kind } from './chatgpt-kinds.js';
import { CHATGPT_FILES, libreChat, openWebUi } from './export-fixtures.js';

const PNG = CHATGPT_FILES['file-Pier1-pier.png']!;

const claudeMessage = (uuid: string, sender: string, more: object) => ({
  uuid,
  sender,
  text: '',
  content: [],
  created_at: '2025-05-01T10:00:00.000000Z',
  attachments: [],
  files: [],
  ...more,
});
const claudeOf = (name: string, chat_messages: object[], more: object = {}) => ({
  ...{ uuid: name, name, created_at: '2025-05-01T10:00:00.000000Z', updated_at: '2025-05-01T11:00:00.000000Z' },
  ...{ account: { uuid: 'a' }, chat_messages },
  ...more,
});
const ROOT = '00000000-0000-4000-8000-000000000000';
const block = (text: string) => ({ type: 'text', text, citations: [] });
const artifact = (input: object) => ({ type: 'tool_use', name: 'artifacts', input });

const claudeKinds: Kind[] = [
  [
    'thoughts, calls and artifacts',
    claudeOf('artifacts', [
      claudeMessage('1', 'human', { content: [block('Q')], text: 'Q' }),
      claudeMessage('2', 'assistant', {
        text: 'Here.\n\n```\nThis block is not supported on your current device yet.\n```',
        content: [
          { type: 'thinking', thinking: 'Hm.' },
          block('Here.'),
          artifact({
            ...{ id: 'a', command: 'create', type: 'application/vnd.ant.code', language: 'python' },
            ...{ title: 'Sum', content: 'print(1)\nprint(2)' },
          }),
          { type: 'tool_result', content: [{ type: 'text', text: 'OK' }] },
          artifact({ id: 'a', command: 'update', old_str: 'print(1)', new_str: 'print($&)' }),
          { type: 'tool_use', name: 'web_search', input: { query: 'x' } },
        ],
      }),
    ]),
    {
      source: 'claude',
      messages: [
        'user: Q',
        'ai: Here.\n\n**Sum**\n\n```python\nprint(1)\nprint(2)\n```\n\n**Sum**\n\n```python\nprint($&)\nprint(2)\n```',
      ],
    },
  ],
  [
    'pasted texts and documents',
    claudeOf('attachments', [
      claudeMessage('1', 'human', {
        attachments: [
          { file_name: '', file_type: 'txt', extracted_content: 'A long paste' },
          { file_name: 'report.pdf', file_type: 'pdf', extracted_content: 'The text of the report' },
          { file_name: 'scan.pdf', file_type: 'pdf', extracted_content: '' },
          { file_name: 'plan.pdf', file_type: 'pdf', extracted_content: '' },
        ],
        files: [
          { file_name: 'report.pdf', file_uuid: 'u1' },
          { file_name: 'photo.jpg', file_uuid: 'u2' },
          { file_name: 'plan.pdf' },
          { file_name: 'image.png' },
          { file_name: 'image.png' },
        ],
        files_v2: [{ file_name: 'photo.jpg', file_uuid: 'u2' }],
      }),
      claudeMessage('2', 'assistant', { content: [block('A')] }),
    ]),
    { source: 'claude', messages: ['user:  [Pasted text.txt, report.pdf.txt]', 'ai: A'], missing: 5 },
  ],
  [
    'branches',
    claudeOf(
      'branches',
      [
        claudeMessage('1', 'human', { content: [block('Q')], parent_message_uuid: ROOT }),
        claudeMessage('2', 'assistant', { content: [block('A')], parent_message_uuid: '1' }),
        claudeMessage('3', 'human', { content: [block('Q again')], parent_message_uuid: ROOT }),
        claudeMessage('4', 'assistant', { content: [block('A again')], parent_message_uuid: '3' }),
      ],
      { current_leaf_message_uuid: '2' },
    ),
    { source: 'claude', messages: ['user: Q', 'ai: A'] },
  ],
  [
    'texts without blocks, with artifacts as tags',
    claudeOf('tags', [
      claudeMessage('1', 'human', { text: 'a < b?' }),
      claudeMessage('2', 'assistant', {
        text: 'So:\n<antThinking>Hm.</antThinking><antArtifact identifier="x" type="text/html" title="Page"><b>1</b></antArtifact>\n\nDone <b>.',
      }),
    ]),
    {
      source: 'claude',
      messages: ['user: a < b?', 'ai: So:\n\n\n**Page**\n\n```html\n<b>1</b>\n```\n\n\n\nDone <b>.'],
    },
  ],
];

const lobeMessages = [
  { id: 'm1', role: 'user', content: 'Q', topicId: 't', sessionId: 's', createdAt: '2025-05-01T10:00:00Z' },
  {
    ...{ id: 'm2', role: 'assistant', content: 'A', topicId: 't', sessionId: 's', parentId: 'm1' },
    ...{ model: 'gpt-4o', reasoning: { content: 'Hm.', duration: 4 }, createdAt: '2025-05-01T10:00:01Z' },
  },
  { id: 'm4', role: 'tool', content: '{"x":1}', topicId: 't', parentId: 'm2', createdAt: '2025-05-01T10:00:02Z' },
  { id: 'm5', role: 'assistant', content: 'A more', topicId: 't', parentId: 'm4', createdAt: '2025-05-01T10:00:03Z' },
  { id: 'm6', role: 'user', content: 'Q2', topicId: 't', sessionId: 's', createdAt: '2025-05-01T10:00:04Z' },
];

const otherKinds: Kind[] = [
  [
    'LobeChat, with files that it does not have',
    {
      mode: 'postgres',
      schemaHash: 'x',
      data: {
        messages: lobeMessages,
        topics: [{ id: 't', title: 'Topic', favorite: true, createdAt: '2025-05-01T10:00:00Z' }],
        sessions: [{ id: 's', title: 'Helper' }],
        files: [{ id: 'f', name: 'a.png' }],
        messagesFiles: [{ messageId: 'm1', fileId: 'f' }],
      },
    },
    { source: 'lobechat', messages: ['user: Q', 'ai: A\n\nA more', 'user: Q2', 'ai: '], missing: 1 },
  ],
  [
    'LobeChat of earlier versions',
    {
      exportType: 'all',
      state: {
        messages: lobeMessages.slice(0, 2).map((message, at) => ({ ...message, createdAt: 1_700_000_000_000 + at })),
        topics: [],
        sessions: [{ id: 't', meta: { title: 'Helper' } }],
      },
      version: 7,
    },
    { source: 'lobechat', messages: ['user: Q', 'ai: A'] },
  ],
  [
    'TypingMind, with a picture',
    {
      data: {
        chats: [
          {
            chatID: 'c',
            chatTitle: 'Chat',
            model: 'gpt-4o',
            createdAt: '2025-05-01T10:00:00.000Z',
            messages: [
              { role: 'system', content: 'You are…' },
              {
                role: 'user',
                content: [
                  { type: 'text', text: 'Q' },
                  { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG.toString('base64')}` } },
                  { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
                ],
              },
              {
                role: 'assistant',
                content: [
                  { type: 'thinking', thinking: 'Hm.' },
                  { type: 'text', text: 'A' },
                ],
              },
            ],
          },
        ],
        folders: [],
      },
      checksum: 'x',
    },
    { source: 'typingmind', messages: ['user: Q [Attachment.png]', 'ai: A'], missing: 1 },
  ],
  [
    'DeepSeek, with thoughts, a search and a file that it does not have',
    [
      {
        ...{ id: 'd', title: 'DeepSeek', inserted_at: '2025-05-01T10:00:00+08:00' },
        mapping: {
          root: { id: 'root', parent: null, children: ['1'], message: null },
          1: {
            ...{ id: '1', parent: 'root', children: ['2'] },
            message: { files: [{ file_name: 'a.pdf' }], fragments: [{ type: 'REQUEST', content: 'Q' }] },
          },
          2: {
            ...{ id: '2', parent: '1', children: [] },
            message: {
              model: 'deepseek-reasoner',
              fragments: [
                { type: 'THINK', content: 'Hm.' },
                { type: 'SEARCH', results: [{ url: 'https://example.org', cite_index: 1 }] },
                { type: 'RESPONSE', content: 'A [citation:1].' },
              ],
            },
          },
        },
      },
    ],
    { source: 'deepseek', messages: ['user: Q', 'ai: A.'], missing: 1 },
  ],
  [
    'Grok, with the marks of its page',
    {
      conversations: [
        {
          conversation: { id: 'g', title: 'Grok', create_time: '2025-05-01T10:00:00.000000Z', starred: true },
          responses: [
            {
              response: {
                ...{ _id: 'r1', sender: 'human', message: 'Q', model: 'grok-3', file_attachments: ['asset-9'] },
                create_time: { $date: { $numberLong: '1746093600000' } },
              },
            },
            {
              response: {
                ...{ _id: 'r2', sender: 'ASSISTANT', parent_response_id: 'r1', model: 'grok-3', thinking_trace: 'Hm.' },
                message:
                  'A<grok:render card_id="1" type="render_inline_citation"><argument name="x">1</argument></grok:render>.',
                create_time: { $date: { $numberLong: '1746093601000' } },
              },
            },
          ],
        },
      ],
      projects: [],
      tasks: [],
    },
    { source: 'grok', messages: ['user: Q', 'ai: A.'], missing: 1 },
  ],
  [
    'LibreChat, with a file and calls of tools',
    (() => {
      const exported = libreChat({ id: 'l', title: 'l' }, false) as unknown as { messages: Record<string, unknown>[] };
      exported.messages[0]!['files'] = [{ file_id: 'f', filename: 'a.pdf', filepath: '/uploads/a.pdf' }];
      exported.messages[2]!['content'] = [
        { type: 'tool_call', tool_call: { name: 'search', args: '{}', output: 'x' } },
        { type: 'text', text: { value: 'A ship.' } },
      ];
      return exported;
    })(),
    { source: 'librechat', messages: ['user: What is this?', 'ai: A ship.'], missing: 1 },
  ],
  [
    'Open WebUI, with a document that it does not have',
    [openWebUi({ id: 'w', title: 'w' })],
    { source: 'open-webui', messages: ['user: The largest port? [map.png]', 'ai: Rotterdam.'], missing: 1 },
  ],
];

export const KINDS: Kind[] = [
  ...CHATGPT_KINDS.map(([name, exported, expected]): Kind => [`ChatGPT with ${name}`, [exported], expected]),
  ...claudeKinds.map(([name, exported, expected]): Kind => [`Claude with ${name}`, [exported], expected]),
  ...otherKinds,
];

/** The archive of Claude: an empty conversation beside others, projects and users. */
export const CLAUDE_ARCHIVE = {
  'users.json': '[{"uuid":"a","email_address":"a@b.example"}]',
  'projects.json': '[{"uuid":"p","name":"Project","docs":[]}]',
  'conversations.json': JSON.stringify([
    claudeOf('Empty', []),
    claudeOf('Full', [
      claudeMessage('1', 'human', { content: [block('Q')] }),
      claudeMessage('2', 'assistant', { content: [block('A')] }),
    ]),
  ]),
};

/** The archive of Grok: files stand under their ids, beside those of the account. */
export const GROK_ARCHIVE = {
  'ttl/30d/export_data/u/prod-grok-backend.json': JSON.stringify({
    conversations: [
      {
        conversation: { id: 'g', title: 'Grok' },
        responses: [
          { response: { _id: 'r1', sender: 'human', message: 'Q', file_attachments: ['asset-9'] } },
          { response: { _id: 'r2', sender: 'assistant', message: 'A' } },
        ],
      },
    ],
  }),
  'ttl/30d/export_data/u/prod-mc-auth-mgmt-api.json': '{"sessions":[]}',
  'ttl/30d/export_data/u/prod-mc-billing.json': '{"card":1}',
  'ttl/30d/export_data/u/prod-mc-asset-server/asset-9/content': PNG,
};

/** What cannot be read, each with the code of the reason. */
export const REFUSED: [name: string, content: string, code: string][] = [
  ['chat.html of ChatGPT', '<html><body>…</body></html>', 'file_broken'],
  [
    'the activity of Gemini',
    JSON.stringify([{ header: 'Gemini Apps', title: 'Prompted Q', safeHtmlItem: [{ html: '<p>A</p>' }] }]),
    'file_unknown_format',
  ],
  ['memories of Claude', JSON.stringify([{ conversations_memory: 'x', account_uuid: 'a' }]), 'file_unknown_format'],
];
