import { chatGpt } from '../../../../test/imports/export-fixtures.js';
import { recognize } from '../formats.js';
import { node, nodesOf } from '../../../../test/imports/recognized-nodes.js';

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

  it('has no marks of earlier citations, and nothing of what a tool has read in files', () => {
    const said = (role: string, parts: unknown[]) => ({
      message: { author: { role }, content: { content_type: 'multimodal_text', parts } },
    });
    const rule = 'Make sure to include 【message_idx†source】 markers.';
    const picture = { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_00aa' };
    const mapping = {
      a: said('assistant', ['Ships wait【3†source】【4:0†notes.pdf】. 【重要】']),
      b: said('tool', [rule, 'Ships of class 3 …']),
      c: said('tool', [rule, picture]),
      d: said('user', ['What is 【3†source】?']),
    };
    expect(nodesOf({ id: 'c', mapping }).map(({ role, text, files }) => [role, text, files.length])).toEqual([
      ['assistant', 'Ships wait. 【重要】', 0],
      ['none', '', 0],
      ['assistant', '', 1],
      ['user', 'What is 【3†source】?', 0],
    ]);
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
