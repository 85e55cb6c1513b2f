/*
 * Conversations of ChatGPT's export as its users report them: what they contain beside questions and answers.
 */

/** The shown path as `role: text`, and the codes of what was left out. */
export interface Expected {
  source: string;
  messages: string[];
  /** Number of files that are left out. */
  missing?: number;
}

export type Kind = [name: string, exported: unknown, expected: Expected];

interface Node {
  id: string;
  parent: string | null;
  role: string;
  content: object;
  more?: object;
}

const said = (text: string) => ({ content_type: 'text', parts: [text] });

/** A conversation of ChatGPT. @param more its other fields */
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

export const CHATGPT_KINDS: Kind[] = [
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
