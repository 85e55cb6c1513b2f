import { attributeOf, fenced, replaceTags, type Tag } from './text-blocks.js';

const TAGS: Tag[] = [
  { name: 'note', toShown: (inner, attributes) => `(${attributeOf(attributes, 'by')}: ${inner})` },
  { name: 'gone', toShown: () => '' },
];

describe('the blocks of a text', () => {
  it.each([
    ['a <note by="me">b</note> c', 'a (me: b) c'],
    ['<gone>x</gone><note>b < c</note>', '(: b < c)'],
    ['a < b <notes>c</notes> </note>', 'a < b <notes>c</notes> </note>'],
    ['<note by="x">open', '<note by="x">open'],
    ['<note', '<note'],
    ['', ''],
  ])('of %j are shown as %j', (text, shown) => {
    expect(replaceTags(text, TAGS)).toBe(shown);
  });

  it('are replaced in linear time', () => {
    const open = '<note by="'.repeat(200_000);
    expect(replaceTags(open, TAGS) === open).toBe(true);
    const started = '<note>'.repeat(300_000);
    expect(replaceTags(started, TAGS) === started).toBe(true);
    expect(replaceTags('<gone>x</gone>'.repeat(100_000), TAGS)).toBe('');
  });
});

describe('a block of code', () => {
  it.each([
    ['python', 'print(1)', '```python\nprint(1)\n```'],
    ['unknown', 'x', '```\nx\n```'],
    ['a b', 'x', '```\nx\n```'],
    ['md', 'a\n```js\nb\n```', '````md\na\n```js\nb\n```\n````'],
    ['', '', ''],
  ])('in %j of %j has a fence of its own', (language, code, expected) => {
    expect(fenced(language, code)).toBe(expected);
  });
});
