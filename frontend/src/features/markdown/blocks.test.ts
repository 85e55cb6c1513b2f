import { BlockSplitter, definitionsOf, hasFootnotes } from './blocks';
import { hasMath, unifyMath } from './math-text';

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

test('each top-level element is a block of its own', () => {
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

test('blocks before the last are left alone while the text grows', () => {
  const splitter = new BlockSplitter();
  const before = splitter.split(TEXT);
  const after = splitter.split(`${TEXT} And more.`);
  expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
});

test('a code block is closed when its fence is', () => {
  expect(split('```js\nlet a')).toEqual([{ kind: 'code', code: 'let a', language: 'js', closed: false }]);
  expect(split('```js\nlet a\n```')).toEqual([{ kind: 'code', code: 'let a', language: 'js', closed: true }]);
  expect(split('~~~\n```\n~~~')).toMatchObject([{ closed: true, code: '```' }]);
});

test('the language is a word and nothing else', () => {
  expect(split('```js "onload=alert(1)"\n1\n```')).toMatchObject([{ language: 'js' }]);
});

test('a long list is cut between its items and keeps all of them', () => {
  const items = Array.from({ length: 200 }, (_, index) => `${index + 1}. item number ${index + 1}`);
  const blocks = split(items.join('\n'));
  expect(blocks.length).toBeGreaterThan(2);
  expect(blocks.map((block) => (block.kind === 'text' ? block.source.trim() : '')).join('\n')).toBe(items.join('\n'));
});

test('definitions are found for links in other blocks', () => {
  expect(definitionsOf(split(TEXT))).toEqual(['[ref]: https://example.org']);
});

test('footnotes are noticed', () => {
  expect(hasFootnotes(split('Text[^1].\n\n[^1]: The note.'))).toBe(true);
  expect(hasFootnotes(split('```\n[^1]: code\n```'))).toBe(false);
});

test('a display formula over blank lines is one block', () => {
  expect(split('$$\na\n\nb\n$$\n\nafter')).toEqual([
    { kind: 'text', source: '$$\na\n\nb\n$$' },
    { kind: 'text', source: 'after' },
  ]);
  expect(split('\\[\na\n\nb\n\\]')).toHaveLength(1);
});

test('dollars that never close join nothing', () => {
  expect(split('It costs $$ a lot.\n\nReally.')).toHaveLength(2);
});

test('nesting beyond all measure is shown as plain text', () => {
  expect(split(`${'> '.repeat(10_000)}deep`)).toMatchObject([{ kind: 'plain' }]);
  expect(split(`${'- '.repeat(10_000)}deep`)).toMatchObject([{ kind: 'plain' }]);
});

test('all four ways to write a formula become one', () => {
  expect(unifyMath('\\(a\\) and $b$ and $$c$$')).toBe('$$a$$ and $$b$$ and $$c$$');
  expect(unifyMath('\\[ x \\]')).toBe('\n$$\nx\n$$\n');
});

test('prices and code are no formulas', () => {
  for (const text of ['$5 and $10', 'from $5 to $10.', '`$a$`', 'US$5, US$6', 'cost: $ 5 $']) {
    expect(unifyMath(text)).toBe(text);
    expect(hasMath(unifyMath(text))).toBe(false);
  }
});
