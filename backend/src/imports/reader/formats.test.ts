import { libreChat, openWebUi } from '../../../test/imports/export-fixtures.js';
import { recognize } from './formats.js';
import { node, nodesOf } from '../../../test/imports/recognized-nodes.js';

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

  it('has the files that are inside the export, and names the others', () => {
    expect(node(exported, 'q').files).toEqual([
      { name: 'map.png', type: 'image/png', source: { dataUrl: expect.stringMatching(/^data:image\/png/) as string } },
      { name: 'far.pdf', type: '', source: { assetId: 'missing:/api/v1/files/9/content' } },
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
  it('has its thoughts apart, and artifacts with their titles', () => {
    const answer = (text: string) => node({ conversationId: 'l', messages: [{ messageId: 'a', text }] }, 'a');
    const artifact = (type: string, inner: string) =>
      `Here:\n:::artifact{identifier="p" type="${type}" title="Port"}\n${inner}\n:::\nDone.`;
    expect(answer(`:::thinking\nHm.\n:::\n\n${artifact('application/vnd.react', '```jsx\n<b/>\n```')}`)).toMatchObject({
      text: 'Here:\n**Port**\n\n```jsx\n<b/>\n```\nDone.',
      reasoning: 'Hm.',
    });
    expect(answer(artifact('text/html', '<b>')).text).toBe('Here:\n**Port**\n\n```html\n<b>\n```\nDone.');
    expect(answer(`:::thinking\nHm.\n${artifact('text/html', '<b>')}`).text).toMatch(
      /^:::thinking\nHm\.\nHere:\n\*\*Port/,
    );
    const written = `~~~\n${artifact('text/html', '<b>')}\n~~~`;
    const nested = '```md\n```js\n```\n```';
    expect(answer(`${written}\n${artifact('text/markdown', nested)}`).text).toBe(
      `${written}\nHere:\n**Port**\n\n${nested}\nDone.`,
    );
    for (const open of [':::thinking\nHm.', 'a\n:::\n:::note\nb\n:::', ':::artifact{\n'.repeat(100_000)])
      expect(answer(open)).toMatchObject({ text: open, reasoning: '' });
  });

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

describe('a chat of TypingMind', () => {
  it('has the answers of several models as versions, and goes on from the first', () => {
    const said = (role: string, content: string) => ({ role, content });
    const messages = [
      said('user', 'Q'),
      {
        type: 'tm_multi_responses',
        responses: [
          { model: 'a', messages: [said('assistant', 'A')] },
          { model: 'b', messages: [said('assistant', 'B'), said('assistant', 'B2')] },
          'broken',
        ],
      },
      said('user', 'Q2'),
      { type: 'tm_multi_responses', responses: [] },
    ];
    const nodes = nodesOf({ chatID: 'c', model: 'gpt-4o', messages });
    expect(nodes.map(({ id, parentId, role, text, model }) => [id, parentId, role, text, model])).toEqual([
      ['0', null, 'user', 'Q', null],
      ['1', '0', 'assistant', 'A', 'a'],
      ['2', '0', 'assistant', 'B', 'b'],
      ['3', '2', 'assistant', 'B2', 'b'],
      ['4', '1', 'user', 'Q2', null],
      ['5', '4', 'none', '', null],
    ]);
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
