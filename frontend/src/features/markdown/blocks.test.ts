import { BlockSplitter, definitionsOf } from './blocks';
import { hasMath, unifyMath } from './math/formula-reader';

const TEXT = [
  '# Judul',
  'A paragraph with **bold** and [a link][ref].',
  '- one\n- two\n\n  still two\n- three',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```ts\nconst a = 1;\n\nconst b = 2;\n```',
  '> quote\n> more',
  '1. first\n2. second',
  '[ref]: https://example.org',
  'The end.',
].join('\n\n');

const split = (text: string) => new BlockSplitter().split(text);

test('each top-level element is one block', () => {
  expect(split(TEXT).map((block) => block.kind)).toEqual([
    'text',
    'text',
    'text',
    'text',
    'code',
    'text',
    'text',
    'text',
    'text',
  ]);
});

test.each([1, 2, 3, 7, 50])('a text that grows by %i characters ends in the same blocks', (step) => {
  const splitter = new BlockSplitter();
  for (let length = step; length < TEXT.length; length += step) {
    expect(splitter.split(TEXT.slice(0, length))).toEqual(split(TEXT.slice(0, length)));
  }
  expect(splitter.split(TEXT)).toEqual(split(TEXT));
});

const items = (count: number) =>
  Array.from({ length: count }, (_, index) => `${index + 1}. item number ${index + 1}`).join('\n');

/** 60 long items; the one at `place` has a second paragraph. */
const looseAt = (place: number, marker: (index: number) => string) =>
  Array.from(
    { length: 60 },
    (_, index) => `${marker(index)} ${'words '.repeat(9)}${index === place ? '\n\n    more' : ''}`,
  ).join('\n');

test.each([
  ['a long list', `${items(150)}\n\nafter it`],
  ['a list that becomes loose late', `Before\n\n${looseAt(50, () => '1.')}\n\nafter it\n\n${looseAt(3, () => '-')}`],
  ['two lists', `${looseAt(55, () => '7)')}\n${looseAt(57, () => '0.')}\n${items(60)}`],
  ['a list whose next marker turns out to be text', `${items(120)}\n${'2.5 of them '.repeat(200)}`],
  ['formulas over blank lines', `$$\na\n\nb\n$$\n\nit costs $$ a lot\n\n${'more\n\n'.repeat(40)}$$ end`],
  [
    'lines that change their block type as they grow',
    'a\n-\n-\n\n- b\n--\n\n| c | d |\n|-|-|\n\n    code\n\n  text\n```\n\n``\n```\n=\n\n=',
  ],
])('%s ends in the same blocks when it grows by one character', (_, text) => {
  const splitter = new BlockSplitter();
  for (let length = 1; length < text.length; length += 1) splitter.split(text.slice(0, length));
  expect(splitter.split(text)).toEqual(split(text));
});

test.each([
  ['blocks', TEXT, TEXT],
  ['parts of a long list', items(500), `\n${items(20)}`],
])('%s before the last are the same ones while the text grows', (_, start, more) => {
  const splitter = new BlockSplitter();
  const before = splitter.split(start);
  const after = splitter.split(start + more);
  before.slice(0, -1).forEach((block, index) => expect(after[index]).toBe(block));
});

test('a text that does not continue the last one is parsed from its start', () => {
  const splitter = new BlockSplitter();
  splitter.split(TEXT);
  expect(splitter.split('Only this.')).toEqual([{ kind: 'text', source: 'Only this.' }]);
});

test('a code block is closed by its closing fence', () => {
  expect(split('```js\nlet a')).toEqual([{ kind: 'code', code: 'let a', language: 'js', closed: false }]);
  expect(split('```js\nlet a\n```')).toEqual([{ kind: 'code', code: 'let a', language: 'js', closed: true }]);
  expect(split('~~~\n```\n~~~')).toMatchObject([{ closed: true, code: '```' }]);
});

test('the language is the first word of the info string', () => {
  expect(split('```js "onload=alert(1)"\n1\n```')).toMatchObject([{ language: 'js' }]);
});

test('a long list is split between its items and keeps all of them', () => {
  const blocks = split(items(200));
  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.map((block) => (block.kind === 'text' ? block.source.trim() : '')).join('\n')).toBe(items(200));
});

test.each([
  ['1.', 1],
  ['0.', 0],
  ['5)', 5],
])('the parts of a list that begins with %s go on with its numbers and its spacing', (marker, start) => {
  const parts = split(looseAt(50, (index) => (index === 0 ? marker : `1${marker.slice(1)}`)));
  let next = start;
  for (const part of parts) {
    expect(part).toMatchObject({ list: { start: next, loose: true } });
    next += part.kind === 'text' ? part.source.match(/^\d+[.)]/gm)!.length : 0;
  }
  expect(next).toBe(start + 60);
});

test('finds the definitions for links in other blocks', () => {
  expect(definitionsOf(split(TEXT))).toEqual(['[ref]: https://example.org']);
});

test('a display formula over blank lines is one block', () => {
  expect(split('$$\na\n\nb\n$$\n\nafter')).toEqual([
    { kind: 'text', source: '$$\na\n\nb\n$$' },
    { kind: 'text', source: 'after' },
  ]);
  expect(split('\\[\na\n\nb\n\\]')).toHaveLength(1);
});

test('a line break of a formula with a height opens no formula', () => {
  expect(split('A $a\\\\[2pt]b$ here.\n\nB \\[ x \\] and\n\nC')).toHaveLength(3);
  expect(split('Type `$$` twice.\n\nB')).toHaveLength(2);
});

test('unclosed dollars do not join blocks', () => {
  expect(split('It costs $$ a lot.\n\nReally.')).toHaveLength(2);
});

test('deep nesting is shown as plain text (XSS-1)', () => {
  expect(split(`${'> '.repeat(10_000)}deep`)).toMatchObject([{ kind: 'plain' }]);
  expect(split(`${'- '.repeat(10_000)}deep`)).toMatchObject([{ kind: 'plain' }]);
});

test('all four delimiters of formulas become one', () => {
  expect(unifyMath('\\(a\\) and $b$ and $$c$$')).toBe('$$a$$ and $$b$$ and $$c$$');
  expect(unifyMath('Then\n$$ x^2 $$\n> $$y$$')).toBe('Then\n$$$ x^2 $$$\n> $$$ y $$$');
  expect(unifyMath('\\[ x \\]')).toBe('$$$ x $$$');
});

test('prices and code are not formulas', () => {
  for (const text of ['$5 and $10', 'from $5 to $10.', '`$a$`', 'US$5, US$6', 'cost: $ 5 $']) {
    expect(unifyMath(text)).toBe(text);
    expect(hasMath(unifyMath(text))).toBe(false);
  }
});
