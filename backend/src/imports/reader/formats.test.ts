import { chatGpt, libreChat, openWebUi } from '../../../test/imports/export-fixtures.js';
import { recognize } from './formats.js';
import type { SourceNode } from './source-conversation.js';

const nodesOf = (value: unknown): SourceNode[] => recognize(value)!.conversations[0]!.nodes;
const node = (value: unknown, id: string): SourceNode => nodesOf(value).find((one) => one.id === id)!;

describe('a conversation of ChatGPT', () => {
  const exported = chatGpt({ id: 'c-1', title: 'Harbours' });

  it('is recognized, alone and inside an object', () => {
    expect(recognize(exported)).toMatchObject({ source: 'chatgpt', conversations: [{ id: 'c-1', title: 'Harbours' }] });
    expect(recognize({ conversations: [exported] })).toMatchObject({ source: 'chatgpt' });
  });

  it('has times, models and the shown end', () => {
    const [conversation] = recognize(exported)!.conversations;
    expect(conversation).toMatchObject({ createdAt: 1_700_000_000_500, currentId: 'answer-2' });
    expect(node(exported, 'answer-2')).toMatchObject({ model: 'gpt-4o', createdAt: 1_700_000_060_000 });
    expect(node({ ...exported, default_model_slug: 'gpt-5' }, 'drawn').model).toBe('gpt-5');
    expect(node({ ...exported, default_model_slug: 'gpt-5' }, 'question').model).toBeNull();
  });

  it('has the text without marks of citations, code as blocks, and thoughts as reasoning', () => {
    expect(node(exported, 'answer-2').text).toBe('A harbour is a place for ships.');
    expect(node(exported, 'code').text).toBe('```python\nprint(1)\n```');
    expect(node(exported, 'thoughts')).toMatchObject({ text: '', reasoning: '**Plan**\n\nThink of ships.' });
    expect(node(exported, 'canvas').text).toBe('# A poem');
  });

  it.each([
    ['\ue200entity\ue202["company","Tesla","carmaker"]\ue201', 'Tesla'],
    ['\ue200entity\ue202Tesla\ue201', 'Tesla'],
    ['\ue200entity\ue202["company"\ue201', ''],
    ['\ue200url\ue202the report\ue202https://x.org/a_(b)\ue201', '[the report](https://x.org/a_%28b%29)'],
    ['\ue200url\ue202[1] report\ue202https://x.org\ue201', String.raw`[\[1\] report](https://x.org)`],
    ['\ue200url\ue202the report\ue202turn0search0\ue201', 'the report'],
    ['\ue200url\ue202the report\ue202javascript:alert(1)\ue201', 'the report'],
    ['\ue200cite\ue202turn0search0\ue202turn1news2\ue201', ''],
    ['\ue200filecite\ue202turn0file0\ue201', ''],
    ['\ue200image_group\ue202{"query":["ships"]}\ue201', ''],
    ['\ue200navlist\ue202News\ue202turn0news1\ue201', ''],
  ])('shows the mark %j as %j', (mark, shown) => {
    const message = { author: { role: 'assistant' }, content: { content_type: 'text', parts: [`A ${mark}.`] } };
    expect(node({ id: 'c', mapping: { a: { message } } }, 'a').text).toBe(`A ${shown}.`);
  });

  it('has the charts of the code interpreter, without its output', () => {
    const output = (messages: unknown[]) => ({
      author: { role: 'tool', name: 'python' },
      content: { content_type: 'execution_output', text: '42' },
      metadata: { aggregate_result: { messages } },
    });
    const chart = { message_type: 'image', image_url: 'file-service://file-Chart1', width: 9 };
    const mapping = {
      a: { message: output([{ message_type: 'stream', text: '42' }, chart]) },
      b: { message: output([]) },
    };
    const files = [{ name: '', type: '', source: { assetId: 'file-Chart1' } }];
    expect(node({ id: 'c', mapping }, 'a')).toMatchObject({ role: 'assistant', text: '', files });
    expect(node({ id: 'c', mapping }, 'b').role).toBe('none');
  });

  it('has the order of versions', () => {
    expect(node(exported, 'question').childIds).toEqual(['answer-1', 'thoughts']);
  });

  it('leaves out system prompts, hidden messages and calls of tools', () => {
    for (const id of ['root', 'system', 'hidden', 'call', 'tool-output']) expect(node(exported, id).role).toBe('none');
  });

  it('refers to pictures and documents by the ids of their files', () => {
    expect(node(exported, 'question').files).toEqual([
      { name: 'pier.png', type: 'image/png', source: { assetId: 'file-Pier1' } },
      { name: 'notes.txt', type: 'text/plain', source: { assetId: 'file_00ab' } },
    ]);
    expect(node(exported, 'drawn').files).toEqual([{ name: '', type: '', source: { assetId: 'file_00cd' } }]);
  });
});

describe('a document of the canvas of ChatGPT', () => {
  /** The texts of answers that follow each other, each a call of the canvas. */
  const textsOf = (...calls: [name: string, values: unknown][]): string[] => {
    const mapping = Object.fromEntries(
      calls.map(([name, values], at) => {
        const content = { content_type: 'code', text: typeof values === 'string' ? values : JSON.stringify(values) };
        const message = { author: { role: 'assistant' }, recipient: `canmore.${name}_textdoc`, content };
        return [`n${at}`, { message, parent: at === 0 ? null : `n${at - 1}` }];
      }),
    );
    return nodesOf({ id: 'c', mapping }).map(({ text }) => text);
  };
  const prose = ['create', { type: 'document', content: 'One (a) and one (a).' }] as [string, unknown];
  const update = (pattern: string, replacement: string, multiple = false): [string, unknown] => [
    'update',
    { updates: [{ pattern, replacement, multiple }] },
  ];

  it.each([
    ['one', 'two $&', false, 'One (a) and two $& (a).'],
    ['(a)', 'b', true, 'One b and one b.'],
    [String.raw`\(a\)`, 'b', false, 'One b and one (a).'],
    ['.*', 'New', false, 'New'],
    ['o[a-z]e', 'shown alone', false, 'shown alone'],
    ['missing', 'shown alone', false, 'shown alone'],
    ['(o+)+$', 'shown alone', true, 'shown alone'],
  ])('is shown with the change of %j to %j, everywhere: %s', (pattern, replacement, multiple, text) => {
    expect(textsOf(prose, update(pattern, replacement, multiple))).toEqual(['One (a) and one (a).', text]);
  });

  it('is code in its language, changed several times, also beside a change that cannot be made', () => {
    const created = ['create', { type: 'code/python', content: 'print(1)\n' }] as [string, unknown];
    expect(textsOf(created, update('.*', 'print(2)'), update('?', 'lost'), update('2', '3'))).toEqual([
      '```python\nprint(1)\n\n```',
      '```python\nprint(2)\n```',
      '```python\nlost\n```',
      '```python\nprint(3)\n```',
    ]);
  });

  it('is the one of its own version of the conversation', () => {
    const call = (name: string, values: unknown) => ({
      author: { role: 'assistant' },
      recipient: `canmore.${name}_textdoc`,
      content: { content_type: 'code', text: JSON.stringify(values) },
    });
    const mapping = {
      b: { parent: 'a', message: call(...update('A', 'B')) },
      a: { parent: null, message: call('create', { type: 'document', content: 'A' }) },
      c: { parent: 'a', message: call(...update('A', 'C')) },
    };
    expect(nodesOf({ id: 'c', mapping }).map(({ text }) => text)).toEqual(['B', 'A', 'C']);
  });

  it('is left out when its call is broken or changes nothing that is known', () => {
    expect(textsOf(['update', { updates: [] }], ['create', 'no JSON'], update('a', 'b'))).toEqual(['', '', 'b']);
  });

  it('takes no more room when it is written again and again', () => {
    const long: [string, unknown] = ['create', { type: 'document', content: `a${'x'.repeat(1_000_000)}` }];
    const texts = textsOf(long, ...Array.from({ length: 1_000 }, () => update('a', 'aa')));
    expect(texts.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(25_000_000);
  });

  it.each([
    ['many changes', Array.from({ length: 300_000 }, () => ({ pattern: 'missing', replacement: '' }))],
    ['doublings', Array.from({ length: 60 }, () => ({ pattern: 'a', replacement: 'aa', multiple: true }))],
    ['a change of every character', [{ pattern: 'x', replacement: 'y'.repeat(1_000_000), multiple: true }]],
  ])('is bounded under %s of one call', (_, updates) => {
    const [, text] = textsOf(
      ['create', { type: 'document', content: `a${'x'.repeat(10_000_000)}` }],
      ['update', { updates }],
    );
    expect(text!.length).toBeLessThanOrEqual(20_000_000);
  });
});

describe('a recording in a conversation of ChatGPT', () => {
  it('is a file beside its words', () => {
    const words = { content_type: 'audio_transcription', text: 'Hello' };
    const recording = { content_type: 'audio_asset_pointer', asset_pointer: 'sediment://file_00ef' };
    const message = (role: string, part: object) => ({
      author: { role },
      content: { content_type: 'multimodal_text', parts: [words, part] },
    });
    const user = message('user', { audio_asset_pointer: recording, video_container_asset_pointer: null });
    const mapping = { a: { message: user }, b: { message: message('assistant', recording), parent: 'a' } };
    for (const id of ['a', 'b']) {
      const files = [{ name: '', type: '', source: { assetId: 'file_00ef' } }];
      expect(node({ id: 'c', mapping }, id)).toMatchObject({ text: 'Hello', files });
    }
  });
});

describe('a chat of Open WebUI', () => {
  const exported = openWebUi({ id: 'w-1', title: 'Ports' });

  it('has its tree, times, models and the shown end', () => {
    expect(recognize(exported)).toMatchObject({
      source: 'open-webui',
      conversations: [{ id: 'w-1', title: 'Ports', createdAt: 1_700_000_000_000, currentId: 'a2' }],
    });
    expect(nodesOf(exported).map(({ id, parentId }) => [id, parentId])).toEqual([
      ['q', null],
      ['a1', 'q'],
      ['a2', 'q'],
    ]);
    expect(node(exported, 'a2')).toMatchObject({ model: 'llama3:8b', createdAt: 1_700_000_020_000 });
    expect(node(exported, 'q').childIds).toEqual(['a1', 'a2']);
  });

  it('has reasoning apart from the text', () => {
    expect(node(exported, 'a2')).toMatchObject({ text: 'Rotterdam.', reasoning: 'The largest in Europe.' });
  });

  it('has the text and the reasoning of its steps, each once', () => {
    const message = (text: string) => ({ type: 'message', content: [{ type: 'output_text', text }] });
    const output = [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'short' }], content: [{ text: 'deep' }] },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'thought' }] },
      { type: 'function_call', name: 'f', arguments: '{}' },
      { type: 'function_call_output', output: [{ type: 'input_text', text: 'r' }] },
      message('Part one.'),
      null,
      message('Part two.'),
    ];
    const answer = (content: string) =>
      node({ chat: { history: { messages: { a: { role: 'assistant', content, output } } } } }, 'a');
    expect(answer('')).toMatchObject({ text: 'Part one.\n\nPart two.', reasoning: 'deep\n\nthought' });
    expect(answer('Part one. Part two.')).toMatchObject({ text: 'Part one. Part two.', reasoning: 'deep\n\nthought' });
  });

  it('is pinned and archived as it was', () => {
    const [conversation] = recognize({ ...exported, pinned: true, archived: true })!.conversations;
    expect(conversation).toMatchObject({ isPinned: true, isArchived: true });
  });

  it('has no calls of tools, and the code that was run as a block', () => {
    const content = [
      'I look it up.',
      '<details type="tool_calls" done="true" id="1" name="find" arguments="&quot;{}&quot;" result="&quot;x&quot;">',
      '<summary>Tool Executed</summary>\n</details>',
      '<details type="code_interpreter" done="true" duration="1" output="{&quot;stdout&quot;: &quot;4&quot;}">',
      '<summary>Analyzed</summary>\n```python\nprint(2 + 2)\n```\n</details>',
      '<details type="other">kept</details>',
      'It is 4.',
    ].join('\n');
    const messages = { a: { role: 'assistant', content } };
    expect(node({ chat: { history: { messages } } }, 'a')).toMatchObject({
      text: 'I look it up.\n\n\n```python\nprint(2 + 2)\n```\n\n<details type="other">kept</details>\nIt is 4.',
      reasoning: '',
    });
  });

  it.each([
    ['&gt; Is a &lt; b &amp;&amp; c?\n&gt; It&#x27;s &quot;so&quot;: &amp;lt;', `Is a < b && c?\nIt's "so": &lt;`],
    ['> Is a &lt; b?\n> Yes', 'Is a &lt; b?\nYes'],
  ])('has the reasoning %j as it was written', (quoted, reasoning) => {
    const content = `<details type="reasoning" done="true">\n<summary>Thought</summary>\n${quoted}\n</details>\nYes.`;
    const messages = { a: { role: 'assistant', content } };
    expect(node({ chat: { history: { messages } } }, 'a')).toMatchObject({ text: 'Yes.', reasoning });
  });

  it('has the files that are inside the export', () => {
    expect(node(exported, 'q').files).toEqual([
      { name: 'map.png', type: 'image/png', source: { dataUrl: expect.stringMatching(/^data:image\/png/) as string } },
    ]);
  });

  it('is read from a list of messages without a tree', () => {
    const old = {
      chat: {
        title: 'Old',
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: 'b' },
        ],
      },
    };
    expect(nodesOf(old).map(({ parentId, text }) => [parentId, text])).toEqual([
      [null, 'a'],
      ['0', 'b'],
    ]);
  });
});

describe('a conversation of LibreChat', () => {
  it.each([true, false])('has its tree, nested: %s', (isNested) => {
    const exported = libreChat({ id: 'l-1', title: 'Ships' }, isNested);
    expect(recognize(exported)).toMatchObject({
      source: 'librechat',
      conversations: [{ id: 'l-1', title: 'Ships', currentId: 'a2', createdAt: Date.parse('2024-05-01T10:00:00Z') }],
    });
    const parents = nodesOf(exported).map(({ id, parentId, role }) => [id, parentId, role]);
    expect(parents).toEqual([
      ['q', '00000000-0000-0000-0000-000000000000', 'user'],
      ['a1', 'q', 'assistant'],
      ['a2', 'q', 'assistant'],
    ]);
    expect(node(exported, 'a2')).toMatchObject({ text: 'A ship.', reasoning: 'Hm.', model: 'gpt-4o-mini' });
  });
});

describe('an answer of LibreChat', () => {
  const shown = (text: string, isCreatedByUser = false) =>
    node({ conversationId: 'l', messages: [{ messageId: 'a', isCreatedByUser, text }] }, 'a').text;

  it.each([
    ['A ship \ue202turn0search0 \ue202turn1news2.', 'A ship.'],
    [String.raw`A ship \ue202turn0search0\ue202turn12file3.`, 'A ship.'],
    ['A ship \ue200\ue202turn0search0\ue202turn0ref1\ue201.', 'A ship.'],
    ['\ue203A ship\ue204 \ue202turn0search0 sails.', 'A ship sails.'],
    [String.raw`\ue203A ship\ue204\ue202turn0image0 sails\ue206.`, 'A ship sails.'],
    ['A turn0search0.', 'A turn0search0.'],
  ])('shows %j as %j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  it('is read in linear time, and questions stay as they are', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(shown(`A${blanks}b\ue202turn`) === `A${blanks}bturn`).toBe(true);
    expect(shown('\ue202turn0search0', true)).toBe('\ue202turn0search0');
  });
});

describe('an export of this product', () => {
  const message = { content: 'Hello', isUserMessage: true, createdAt: '2026-01-01T00:00:00.000Z', parentId: null };

  it('is recognized as a thread and as an account', () => {
    const messages = [
      { ...message, id: 1, threadId: 7 },
      { ...message, id: 2, threadId: 7, parentId: 1, isUserMessage: false, modelId: 'a/b', reasoning: 'hm' },
      { ...message, id: 3, threadId: 8 },
    ];
    expect(recognize({ title: 'One', messages: messages.slice(0, 2) })).toMatchObject({
      source: 'tanya',
      conversations: [{ title: 'One', nodes: [{ id: '1' }, { id: '2', model: 'a/b', reasoning: 'hm' }] }],
    });
    const threads = [
      { id: 7, title: 'Seven', activeLeafId: 2 },
      { id: 8, title: 'Eight' },
      { id: 9, title: 'Empty' },
    ];
    const { conversations } = recognize({ account: {}, threads, messages })!;
    expect(conversations.map(({ title, nodes, currentId }) => [title, nodes.length, currentId])).toEqual([
      ['Seven', 2, '2'],
      ['Eight', 1, '3'],
    ]);
  });

  it('refers to the files that it does not have', () => {
    const attachments = [{ fileId: '1', url: '/api/files/1', name: 'a.png', type: 'image/png', size: 1 }];
    const question = JSON.stringify({ text: 'Draw', imageData: '/api/files/1', attachments });
    const answer = JSON.stringify({ text: '', imageUrl: '/api/files/2', type: 'image_generation' });
    const drawn = { type: 'image', url: '/api/files/3', alt: '' };
    const messages = [
      { ...message, id: 1, content: question },
      { ...message, id: 2, content: answer, isUserMessage: false, parts: [{ type: 'image', url: '/api/files/2' }] },
      { ...message, id: 3, content: '', isUserMessage: false, parts: [drawn, null, { type: 'text', text: 'x' }] },
      { ...message, id: 4, content: '{"text":"","attachments":5,"imageUrl":[]}', parts: 'x' },
    ];
    const ids = nodesOf({ title: 'Files', messages }).map(({ files }) => files.map(({ source }) => source));
    const assetId = (number: number) => [{ assetId: `/api/files/${number}` }];
    expect(ids).toEqual([assetId(1), assetId(2), assetId(3), []]);
  });

  it('keeps no data URL', () => {
    const content = JSON.stringify({ text: 'Draw', imageData: `data:image/png;base64,${'A'.repeat(10_000)}` });
    const [node] = nodesOf({ title: 'Files', messages: [{ ...message, content }] });
    expect(node!.files).toEqual([{ name: '', type: '', source: { assetId: 'data:' } }]);
  });
});

describe('other values', () => {
  it.each([
    null,
    1,
    'x',
    [],
    {},
    { mapping: null },
    { messages: [] },
    { chat: {} },
    { conversationId: 'x' },
    { messages: [{}] },
  ])('are not recognized: %j', (value) => {
    expect(recognize(value)).toBeNull();
  });

  it.each([
    { mapping: { a: null, b: 1, c: { message: 'x' }, d: { message: { content: { parts: [1, null, {}] } } } } },
    { mapping: { a: { message: { author: 1, content: 'x', metadata: [] }, parent: 4, children: 'x' } }, title: 9 },
    { chat: { history: { messages: { a: null, b: { files: 'x', content: 4 } } } } },
    { conversationId: 'x', messages: [null, 4, { children: 'x', content: 'y' }, { text: {} }] },
    JSON.parse('{"mapping":{"__proto__":{"message":{"author":{"role":"user"}}}},"__proto__":{"title":"x"}}') as unknown,
  ])('of a known shape with wrong types are read without an error: %#', (value) => {
    expect(() => recognize(value)).not.toThrow();
    expect(({} as { title?: string }).title).toBeUndefined();
  });
});

describe('marks and blocks without an end', () => {
  /** Quadratic work would take minutes. */
  const long = (piece: string) => piece.repeat(2_000_000 / piece.length);

  it('stay in the text of an answer of ChatGPT', () => {
    const text = `A\ue200cite\ue201B\ue201${long('\ue200')}`;
    const message = { author: { role: 'assistant' }, content: { content_type: 'text', parts: [text] } };
    const exported = { id: 'c', title: '', mapping: { a: { id: 'a', parent: null, message } } };
    expect(node(exported, 'a').text === `AB\ue201${long('\ue200')}`).toBe(true);
  });

  it('stay in the text of an answer of Open WebUI', () => {
    const open = '<details type="reasoning" done="true">';
    const content = `A${open}\n<summary>Thought</summary>\n&gt; Why</details>\n B${long(open)}`;
    const messages = { a: { id: 'a', parentId: null, role: 'assistant', content } };
    const exported = { id: 'w', title: '', chat: { history: { messages, currentId: 'a' } } };
    expect(node(exported, 'a').reasoning).toBe('Why');
    expect(node(exported, 'a').text === `AB${long(open)}`).toBe(true);
  });
});
