import { callResult } from './call-result.js';

const projects = { projects: [{ id: 'P-77' }, { id: 'P-78' }] };
const text = (value: string) => ({ type: 'text', text: value });

/** How often the value stands in a result. */
const countOf = (result: object): number => callResult(result).text.split('P-77').length - 1;

describe('structured content', () => {
  it.each([
    ['a summary', [text('list_projects returned 2 item(s).')]],
    ['a picture', [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }]],
    ['an error', [text('Failed.')]],
    ['its JSON', [text(JSON.stringify(projects))]],
    ['its formatted JSON', [text(JSON.stringify(projects, null, 2))]],
    ['its JSON in another order, after words', [text(`Found: {"projects":[{"id":"P-77"},{"id":"P-78"}]}`)]],
    ['its JSON in a code block', [text(`\`\`\`json\n${JSON.stringify(projects)}\n\`\`\``)]],
    ['no text', []],
    ['no content', null],
  ])('stands once beside %s', (_, content) => {
    expect(countOf({ content, structuredContent: projects })).toBe(1);
    expect(countOf({ content, structuredContent: projects, isError: true })).toBe(1);
  });

  it.each([
    [[text('P-77')], { result: 'P-77' }],
    [[text('P-77'), text('P-78')], { result: ['P-77', 'P-78'] }],
    [[text('P-77\n')], { content: 'P-77\n' }],
    [[text('{"id":"P-77"}')], { text: '{"id":"P-77"}' }],
    [[text('P-77')], { content: [text('P-77')] }],
    [[text('{"id":"P-77"}'), text('{"id":"P-78"}')], { result: [{ id: 'P-77' }, { id: 'P-78' }] }],
    [[], [1, 'P-77']],
    [[], 'P-77'],
  ])('of a wrapped value counts as said by %j', (content, structuredContent) => {
    expect(countOf({ content, structuredContent })).toBe(1);
  });

  it.each([
    [[text('P-77')], { id: 'P-77' }],
    [[text('P-77')], { content: 'P-77', size: 4 }],
  ])('that tells more than %j stands below it', (content, structuredContent) => {
    expect(countOf({ content, structuredContent })).toBe(2);
  });

  it('names files in base64, as they are no text', () => {
    const file = { type: 'image', data: 'iVBORw0K'.repeat(1_000), mimeType: 'image/png' };
    expect(callResult({ content: [file], structuredContent: { content: [file] } }).text).toBe(
      '[image, image/png: not shown]',
    );
    expect(callResult({ structuredContent: { shot: file.data, note: 'a '.repeat(2_000) } }).text).toMatch(
      /^\{"shot":"\[data of a file: not shown\]","note":"a a /,
    );
  });

  it('is cut at the bound of a result, after the text', () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id: `P-${id}` }));
    const result = callResult({ content: [text('summary')], structuredContent: { items } }).text;
    expect(result).toMatch(/^summary\n\n\{"items":\[\{"id":"P-0"\}/);
    expect(result).toContain('The result was cut here.');
    expect(Buffer.byteLength(result)).toBeLessThanOrEqual(32 * 1024);
  });
});

const inBase64 = (mimeType: string, data: string | Buffer) => ({
  type: 'resource',
  resource: { uri: 'file:///a', mimeType, blob: Buffer.from(data as string).toString('base64') },
});

describe('blocks', () => {
  it('with a long text in base64 are cut like any other', () => {
    const { text: shown } = callResult({ content: [inBase64('text/plain', 'é'.repeat(1_000_000))] });
    expect(shown).toMatch(/^é+\n\n\[The result was cut here\.\]$/);
  });

  it.each([
    [{ type: 'image', data: 'x', mimeType: 'image/png' }, '[image, image/png: not shown]'],
    [{ type: 'audio' }, '[audio: not shown]'],
    [{ type: 'resource', resource: { uri: 'file:///a', blob: 'x' } }, '[file, file:///a: not shown]'],
    [{ type: 'resource', resource: { uri: 'file:///a', text: 'A' } }, 'A'],
    [inBase64('text/csv', 'é;7'), 'é;7'],
    [inBase64('application/vnd.api+json; charset=utf-8', '{"é":7}'), '{"é":7}'],
    [inBase64('application/pdf', 'A'), '[file, file:///a: not shown]'],
    [inBase64('text/plain', Buffer.from([0x41, 0xe9, 0x42])), '[file, file:///a: not shown]'],
    [inBase64('text/plain', Buffer.from([0x41, 0xe9])), '[file, file:///a: not shown]'],
    [inBase64('text/plain', 'A\ufffdB'), 'A\ufffdB'],
    [{ type: 'resource', resource: { mimeType: 'text/plain', blob: 7 } }, '[file: not shown]'],
    [{ type: 'resource', resource: null }, '[file: not shown]'],
    [{ type: 'resource', uri: 'file:///a', text: 'A' }, 'A'],
    [{ type: 'resource_link', uri: 'https://a.example', name: 'A' }, 'A: https://a.example'],
    [
      { type: 'resource_link', uri: 'https://a.example', name: 'A', description: 'The report of May.' },
      'A: https://a.example\nThe report of May.',
    ],
    [{ type: 'video', data: 'x'.repeat(2_000) }, '[video: not shown]'],
    [{ type: 'resource_link', name: 'A' }, 'A'],
    [{ type: 'markdown', text: '# A' }, '# A'],
    [{ text: 'no type' }, 'no type'],
    [{ type: 'json', json: { id: 7 } }, '{"type":"json","json":{"id":7}}'],
    [{ type: 'text', text: 7 }, '7'],
    [{ type: 'text', text: { id: 7 } }, '{"id":7}'],
    [{ type: 'text', text: null }, '[text: not shown]'],
    [[{ type: 'text', text: 'in a list' }], 'in a list'],
    [7, '7'],
    [null, '[unknown content: not shown]'],
    ['text', 'text'],
  ])('%j leaves the text beside it', (block, shown) => {
    expect(callResult({ content: [text('before'), block, text('after')] }).text).toBe(`before\n\n${shown}\n\nafter`);
  });

  it('with a picture within a text name it', () => {
    const said = `Saved as shot-9 data:image/png;base64,${'A'.repeat(200_000)} and sent`;
    expect(callResult({ content: [text(said)] }).text).toBe('Saved as shot-9 [data of a file: not shown] and sent');
  });

  it.each<[object, string]>([
    [{ content: 'a text' }, 'a text'],
    [{ content: text('one block') }, 'one block'],
    [{ toolResult: { id: 7 } }, '{"toolResult":{"id":7}}'],
    [{ answer: 42, resultType: 'complete', _meta: {} }, '{"answer":42}'],
    [{ content: [], answer: 42 }, 'The tool gave no result.'],
  ])('are read in a result of another shape: %j', (result, shown) => {
    expect(callResult(result)).toEqual({ text: shown });
  });

  it('of an error without a reason say so', () => {
    expect(callResult({ isError: true })).toEqual({ text: 'The tool failed and gave no reason.', isError: true });
    expect(callResult({ isError: 'true', content: [text('no')] })).toEqual({ text: 'no', isError: true });
  });

  it('of an empty result say so', () => {
    expect(callResult({ content: [] })).toEqual({ text: 'The tool gave no result.' });
    expect(callResult({})).toEqual({ text: 'The tool gave no result.' });
  });
});

it.each([{ isError: true }, { isError: 'true' }, { isError: 1 }, { is_error: true }])('with %j is an error', (more) => {
  expect(callResult({ content: [text('Failed.')], ...more })).toEqual({ text: 'Failed.', isError: true });
});

it.each([{ isError: false }, { isError: 0 }, { isError: null }, { is_error: false }])('with %j is none', (more) => {
  expect(callResult({ content: [text('Fine.')], ...more })).toEqual({ text: 'Fine.' });
});
