/*
 * Exports of other programs as their users report them: what they contain beside questions and answers.
 */

import { CHATGPT_FILES, libreChat, openWebUi } from './export-fixtures.js';

const PNG = CHATGPT_FILES['file-Pier1-pier.png']!;

interface Node {
  id: string;
  parent: string | null;
  role: string;
  content: object;
  more?: object;
}

const said = (text: string) => ({ content_type: 'text', parts: [text] });

/** A conversation of ChatGPT. @param change of its mapping */
function chatGptOf(id: string, nodes: Node[], more: object = {}) {
  const mapping = Object.fromEntries(
    nodes.map(({ id: node, parent, role, content, more: rest }) => [
      node,
      {
        id: node,
        parent,
        children: nodes.filter((other) => other.parent === node).map((other) => other.id),
        message: { id: node, author: { role }, content, recipient: 'all', metadata: {}, create_time: null, ...rest },
      },
    ]),
  );
  return { title: id, create_time: 1_700_000_000, update_time: 1_700_000_060, mapping, conversation_id: id, ...more };
}

const path = (id: string, ...nodes: Omit<Node, 'id' | 'parent'>[]) =>
  chatGptOf(
    id,
    nodes.map((node, at) => ({ id: `n${at}`, parent: at === 0 ? null : `n${at - 1}`, ...node })),
  );

const question = (text = 'Q'): Omit<Node, 'id' | 'parent'> => ({ role: 'user', content: said(text) });
const answer = (text = 'A'): Omit<Node, 'id' | 'parent'> => ({ role: 'assistant', content: said(text) });

/** The shown path as `role: text`, and the codes of what was left out. */
interface Expected {
  source: string;
  messages: string[];
  /** Number of files that are left out. */
  missing?: number;
}

type Kind = [name: string, exported: unknown, expected: Expected];

const chatGptKinds: Kind[] = [
  [
    'a question whose node lost its parent',
    {
      ...path('lost', question(), answer()),
      mapping: Object.fromEntries(
        Object.entries(path('lost', question(), answer(), question('Q2'), answer('A2')).mapping).map(([id, node]) => [
          id,
          { ...node, parent: null },
        ]),
      ),
    },
    { source: 'chatgpt', messages: ['user: Q', 'ai: A', 'user: Q2', 'ai: A2'] },
  ],
  [
    'a deleted node in the middle',
    path('deleted', question(), answer(), { role: 'assistant', content: {}, more: { author: null } }, question('Q2')),
    { source: 'chatgpt', messages: ['user: Q', 'ai: A', 'user: Q2', 'ai: '] },
  ],
  [
    'pages that were read',
    path(
      'browsing',
      question(),
      { role: 'assistant', content: { content_type: 'code', text: 'search("a")' }, more: { recipient: 'web.run' } },
      { role: 'tool', content: { content_type: 'tether_browsing_display', result: 'x' } },
      { role: 'tool', content: { content_type: 'tether_quote', text: 'quoted', url: 'https://example.org' } },
      answer('It is\ue200cite\ue202turn0search1\ue201 so.'),
    ),
    { source: 'chatgpt', messages: ['user: Q', 'ai: It is so.'] },
  ],
  [
    'code that was run, with its chart',
    path(
      'code',
      question(),
      {
        role: 'assistant',
        content: { content_type: 'code', language: 'unknown', text: 'print("```")' },
        more: { recipient: 'all' },
      },
      {
        role: 'tool',
        content: { content_type: 'execution_output', text: '1' },
        more: {
          metadata: {
            aggregate_result: { messages: [{ message_type: 'image', image_url: 'file-service://file-Ch1' }] },
          },
        },
      },
      answer(),
    ),
    { source: 'chatgpt', messages: ['user: Q', 'ai: ````\nprint("```")\n````\n\nA'], missing: 1 },
  ],
  [
    'a canvas that was changed',
    path(
      'canvas',
      question(),
      {
        role: 'assistant',
        content: {
          content_type: 'code',
          text: JSON.stringify({ name: 'x', type: 'code/python', content: 'print(1)' }),
        },
        more: { recipient: 'canmore.create_textdoc' },
      },
      {
        role: 'assistant',
        content: {
          content_type: 'code',
          text: JSON.stringify({ updates: [{ pattern: '1', multiple: false, replacement: '2' }] }),
        },
        more: { recipient: 'canmore.update_textdoc' },
      },
      answer(),
    ),
    {
      source: 'chatgpt',
      messages: ['user: Q', 'ai: ```python\nprint(1)\n```\n\n```python\nprint(2)\n```\n\nA'],
    },
  ],
  [
    'spoken words',
    path(
      'voice',
      {
        role: 'user',
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'audio_transcription', text: 'Hello?', direction: 'in' },
            {
              content_type: 'real_time_user_audio_video_asset_pointer',
              audio_asset_pointer: { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_00aa' },
            },
          ],
        },
      },
      {
        role: 'assistant',
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'audio_transcription', text: 'Hi!', direction: 'out' },
            { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_00bb' },
          ],
        },
      },
    ),
    { source: 'chatgpt', messages: ['user: Hello?', 'ai: Hi!'], missing: 2 },
  ],
  [
    'hidden instructions and memory',
    path(
      'hidden',
      { role: 'system', content: said('You are…') },
      {
        role: 'user',
        content: { content_type: 'user_editable_context', user_profile: 'x', user_instructions: 'y' },
        more: { metadata: { is_visually_hidden_from_conversation: true } },
      },
      question(),
      { role: 'assistant', content: { content_type: 'model_editable_context', model_set_context: 'z' } },
      answer(),
    ),
    { source: 'chatgpt', messages: ['user: Q', 'ai: A'] },
  ],
  [
    'an error of the system',
    path('error', question(), {
      role: 'assistant',
      content: { content_type: 'system_error', name: 'timeout', text: 'It took too long.' },
    }),
    { source: 'chatgpt', messages: ['user: Q', 'ai: It took too long.'] },
  ],
  [
    'nodes without metadata and lists of children, and the model of the whole',
    {
      title: 'Bare',
      id: 'bare',
      default_model_slug: 'gpt-5',
      current_node: 'b',
      mapping: {
        'client-root': { id: 'client-root', parent: null },
        s: { id: 's', parent: 'client-root', message: { author: { role: 'system' }, content: { parts: [''] } } },
        a: { id: 'a', parent: 's', message: { author: { role: 'user' }, content: { parts: ['Q'] } } },
        m: { id: 'm', parent: 'a', message: { author: { role: 'system' }, content: { parts: ['Switched'] } } },
        b: { id: 'b', parent: 'm', message: { author: { role: 'assistant' }, content: { parts: ['A'] } } },
      },
    },
    { source: 'chatgpt', messages: ['user: Q', 'ai: A'] },
  ],
  [
    'neither title nor times',
    { ...path('x', question('Where do ships sleep?'), answer()), title: null, create_time: null, update_time: null },
    { source: 'chatgpt', messages: ['user: Where do ships sleep?', 'ai: A'] },
  ],
];

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
        ],
        files: [
          { file_name: 'report.pdf', file_uuid: 'u1' },
          { file_name: 'photo.jpg', file_uuid: 'u2' },
        ],
        files_v2: [{ file_name: 'photo.jpg', file_uuid: 'u2' }],
      }),
      claudeMessage('2', 'assistant', { content: [block('A')] }),
    ]),
    { source: 'claude', messages: ['user:  [Pasted text.txt, report.pdf.txt]', 'ai: A'], missing: 1 },
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
  ...chatGptKinds.map(([name, exported, expected]): Kind => [`ChatGPT with ${name}`, [exported], expected]),
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
