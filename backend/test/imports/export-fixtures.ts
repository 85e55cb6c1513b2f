/*
 * Exports of other programs, written by hand after their published formats.
 */

interface Head {
  id: string;
  title: string;
}

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const message = (role: string, content: object, more: object = {}) => ({
  author: { role, name: null, metadata: {} },
  create_time: 1_700_000_030.25,
  content,
  status: 'finished_successfully',
  weight: 1,
  recipient: 'all',
  metadata: {},
  ...more,
});

const text = (...parts: unknown[]) => ({ content_type: 'text', parts });

/** An element of `conversations.json` with a picture, a document, tools, reasoning and two versions of the answer. */
export function chatGpt({ id, title }: Head) {
  const nodes: [string, string | null, object | null][] = [
    ['root', null, null],
    ['system', 'root', message('system', text(''))],
    ['hidden', 'system', message('user', text('custom'), { metadata: { is_visually_hidden_from_conversation: true } })],
    [
      'question',
      'hidden',
      message(
        'user',
        {
          content_type: 'multimodal_text',
          parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Pier1' }, 'What is this?'],
        },
        {
          metadata: {
            attachments: [
              { id: 'file-Pier1', name: 'pier.png', mime_type: 'image/png' },
              { id: 'file_00ab', name: 'notes.txt', mimeType: 'text/plain' },
            ],
          },
        },
      ),
    ],
    ['answer-1', 'question', message('assistant', text('A pier.'), { metadata: { model_slug: 'gpt-4' } })],
    [
      'thoughts',
      'question',
      message('assistant', {
        content_type: 'thoughts',
        thoughts: [{ summary: 'Plan', content: 'Think of ships.' }],
      }),
    ],
    ['call', 'thoughts', message('assistant', { content_type: 'code', text: 'search()' }, { recipient: 'web' })],
    ['tool-output', 'call', message('tool', { content_type: 'execution_output', text: '42' })],
    ['code', 'tool-output', message('assistant', { content_type: 'code', language: 'python', text: 'print(1)' })],
    [
      'canvas',
      'code',
      message(
        'assistant',
        { content_type: 'code', text: JSON.stringify({ name: 'poem', type: 'document', content: '# A poem' }) },
        { recipient: 'canmore.create_textdoc' },
      ),
    ],
    [
      'drawn',
      'canvas',
      message('tool', {
        content_type: 'multimodal_text',
        parts: [{ content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00cd' }],
      }),
    ],
    [
      'answer-2',
      'drawn',
      message('assistant', text('A harbour is \ue200cite\ue202turn0\ue201a place for ships.'), {
        create_time: 1_700_000_060,
        metadata: { model_slug: 'gpt-4o' },
      }),
    ],
  ];
  const children = (parent: string) => nodes.filter(([, up]) => up === parent).map(([name]) => name);
  return {
    id,
    conversation_id: id,
    title,
    create_time: 1_700_000_000.5,
    update_time: 1_700_000_060,
    current_node: 'answer-2',
    default_model_slug: 'gpt-4o',
    mapping: Object.fromEntries(
      nodes.map(([name, parent, content]) => [name, { id: name, parent, message: content, children: children(name) }]),
    ),
  };
}

/** An element of Open WebUI's export with two versions of the answer. */
export function openWebUi({ id, title }: Head) {
  const answer = (name: string, content: string, timestamp: number) => ({
    id: name,
    parentId: 'q',
    childrenIds: [],
    role: 'assistant',
    content,
    model: 'llama3:8b',
    timestamp,
    done: true,
  });
  const reasoning =
    '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n> The largest in Europe.\n</details>\n';
  const messages = {
    q: {
      id: 'q',
      parentId: null,
      childrenIds: ['a1', 'a2'],
      role: 'user',
      content: 'The largest port?',
      timestamp: 1_700_000_001,
      files: [
        { type: 'image', name: 'map.png', url: `data:image/png;base64,${PNG}` },
        { type: 'file', name: 'far.pdf', url: '/api/v1/files/9/content' },
      ],
    },
    a1: answer('a1', 'Shanghai.', 1_700_000_010),
    a2: answer('a2', `${reasoning}Rotterdam.`, 1_700_000_020),
  };
  return {
    id,
    user_id: 'someone',
    title,
    chat: { title, models: ['llama3:8b'], history: { messages, currentId: 'a2' }, messages: [], timestamp: 0 },
    created_at: 1_700_000_000,
    updated_at: 1_700_000_020,
    archived: false,
  };
}

/** A conversation of LibreChat's export with two versions of the answer, as a list or nested. */
export function libreChat({ id, title }: Head, isNested: boolean) {
  const answer = (messageId: string, seconds: number, more: object) => ({
    messageId,
    parentMessageId: 'q',
    isCreatedByUser: false,
    sender: 'GPT',
    createdAt: `2024-05-01T10:00:0${seconds}Z`,
    children: [],
    ...more,
  });
  const answers = [
    answer('a1', 1, { text: 'A boat.', model: 'gpt-4' }),
    answer('a2', 2, {
      text: '',
      content: [
        { type: 'think', think: 'Hm.' },
        { type: 'text', text: 'A ship.' },
      ],
    }),
  ];
  const question = {
    messageId: 'q',
    parentMessageId: '00000000-0000-0000-0000-000000000000',
    isCreatedByUser: true,
    sender: 'User',
    text: 'What is this?',
    createdAt: '2024-05-01T10:00:00Z',
  };
  const head = {
    conversationId: id,
    endpoint: 'openAI',
    title,
    exportAt: '10:00:00 GMT',
    options: { model: 'gpt-4o-mini' },
  };
  return isNested
    ? { ...head, branches: true, recursive: true, messagesTree: [{ ...question, children: answers }] }
    : { ...head, branches: true, recursive: false, messages: [{ ...question, children: [] }, ...answers] };
}

/** The files of `chatGpt`, by their names in the archive. */
export const CHATGPT_FILES: Record<string, Buffer> = {
  'file-Pier1-pier.png': Buffer.from(PNG, 'base64'),
  'file_00ab-notes.txt': Buffer.from('Notes about a pier'),
  'user-Ab/file_00cd-5f0e.png': Buffer.from(PNG, 'base64'),
};
