import { render, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { BlockSplitter } from '../blocks';
import { Paragraph } from './paragraph';
import { ParagraphSplitter } from './paragraph-splitter';
import { TextBlock } from '../text-block';

const sources = (text: string, length = 20) => new ParagraphSplitter(length).split(text).map(({ source }) => source);

/** A Park–Miller generator, so that each run tests the same texts. */
function randomOf(seed: number): (count: number) => number {
  let state = seed;
  return (count) => (state = (state * 48_271) % 2_147_483_647) % count;
}

const WORDS = [
  'harbour',
  'Tide',
  'a',
  'Ayu,',
  'net',
  'Slow!',
  'so',
  'knot.',
  'Bell',
  'É',
  '海です。',
  '船。',
  'two',
  'It',
];
const MARKUP = ['*', '**', '_', '***', '~~', '~', '`', '``', '$', '$$', '\\(', '\\)', '[', ']', '](x)'];
const CONSTRUCTS = [
  '**bold. Words** here',
  '*soft*',
  '_so. It is_',
  '`code. More`',
  '``a ` b``',
  '[link. Text](https://a.example/b_c)',
  '[ref]',
  '![alt. Text](/api/files/1)',
  '$5',
  '$x. y$',
  '$$a*b. c$$',
  '\\(a. B\\)',
  'https://a.example/x_y*z',
  'www.a.example.',
  'a_b@c.example',
  '<b>',
  '<br>',
  '<a title="x. Y">',
  '<https://a.example>',
  '2 * 3',
  'snake_case_name',
  '~~old. Word~~',
  '\\*',
  '&amp;',
  '(see below)',
  '[a *b] c*',
  '**a*b*c**',
  '"Quoted. Words"',
];

function paragraph(seed: number): string {
  const random = randomOf(seed);
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  let text = 'Start';
  for (let count = 0; count < 60; count += 1) {
    const kind = random(12);
    const token = kind < 8 ? pick(WORDS) : kind < 11 ? pick(CONSTRUCTS) : pick(MARKUP);
    text += (random(9) === 0 ? '' : random(6) === 0 ? '\n' : ' ') + token;
  }
  return text;
}

const definitions = '[ref]: https://ref.example';
const rest = { definitions, closed: true, scope: 'm1' };
const htmlOf = (element: ReactElement) => {
  const { container, unmount } = render(element);
  const html = container.innerHTML;
  unmount();
  return html;
};
const whole = (text: string) => htmlOf(<TextBlock source={text} {...rest} />);
const inPieces = (text: string, length: number) =>
  htmlOf(<Paragraph pieces={new ParagraphSplitter(length).split(text)} {...rest} />);

/** A paragraph as the lexer returns it: other blocks within it are not of interest here. */
const isParagraph = (html: string) => /^<p>[^]*<\/p>$/.test(html) && !html.slice(3).includes('<p>');

test('a paragraph in pieces renders like the whole paragraph', async () => {
  render(<TextBlock source="$$x$$" {...rest} />);
  // Loads the math renderer, which decides where formulas are.
  await waitFor(() => expect(document.querySelector('.katex')).not.toBeNull());
  let cuts = 0;
  let paragraphs = 0;
  for (let seed = 1; seed <= 100; seed += 1) {
    const text = paragraph(seed);
    const expected = whole(text);
    if (!isParagraph(expected)) continue;
    paragraphs += 1;
    cuts += sources(text).length - 1;
    const actual = inPieces(text, 20);
    if (actual !== expected) throw new Error(`${JSON.stringify(sources(text))}\n${expected}\n${actual}`);
  }
  // The property is worth little without cuts.
  expect(paragraphs).toBeGreaterThan(50);
  expect(cuts).toBeGreaterThan(150);
}, 120_000);

test('a paragraph that grows by one character ends in the same pieces, and final pieces keep their identity', () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const text = paragraph(seed);
    const splitter = new ParagraphSplitter(20);
    let before = splitter.split('');
    for (let length = 1; length <= text.length; length += 1) {
      const after = splitter.split(text.slice(0, length));
      expect(after).toEqual(new ParagraphSplitter(20).split(text.slice(0, length)));
      before.slice(0, -1).forEach((piece, index) => expect(after[index]).toBe(piece));
      before = after;
    }
    expect(before.map(({ gap, source }) => gap + source).join('')).toBe(text);
  }
});

test('another text with the same beginning is scanned again', () => {
  const splitter = new ParagraphSplitter(20);
  expect(splitter.split('One two three four five. Six.')).toHaveLength(2);
  expect(splitter.split('One two three four five. - six')).toHaveLength(1);
});

test.each([
  ['at a sentence end', 'One two three four five. Six seven.', ['One two three four five.', 'Six seven.']],
  ['at a line end', 'One two three four five\nsix seven', ['One two three four five', 'six seven']],
  ['between CJK sentences', `${'海'.repeat(24)}。船が来る。`, [`${'海'.repeat(24)}。`, '船が来る。']],
  ['at a space of a long sentence', `${'word '.repeat(12)}end`, [`${'word '.repeat(8)}word`, 'word word word end']],
  ['after closed emphasis', '**One two three four five.** Six.', ['**One two three four five.**', 'Six.']],
  ['after a price', 'It costs $5 and then $6 more. Then no.\nNo.', ['It costs $5 and then $6 more.', 'Then no.\nNo.']],
])('a long paragraph is cut %s', (_, text, expected) => {
  expect(sources(text)).toEqual(expected);
});

test.each([
  ['a code span', 'One two three four five `six. Seven. Eight'],
  ['emphasis', 'One two three four **five six. Seven. Eight'],
  ['a link', 'One two three four [five six. Seven](https://a.example "b. C'],
  ['a formula', 'One two three four $five six. Seven. Eight'],
  ['a hard line break', 'One two three four five six  \nseven\\\neight'],
  ['a dash', 'One two three four five six. - seven. - eight'],
])('a long paragraph is not cut in %s', (_, text) => {
  expect(sources(text)).toEqual([text]);
});

test('a paragraph of 50,000 characters has short pieces, and an update replaces only the last one', () => {
  const text = 'It costs **$5**, and `rope` by the [metre](https://a.example). '.repeat(800);
  const splitter = new BlockSplitter();
  const [before] = splitter.split(text.slice(0, 50_000));
  const [after] = splitter.split(text.slice(0, 50_005));
  if (before?.kind !== 'paragraph' || after?.kind !== 'paragraph') throw new Error('not in pieces');
  expect(before.pieces.length).toBeGreaterThan(50);
  expect(Math.max(...before.pieces.map(({ source }) => source.length))).toBeLessThan(900);
  before.pieces.slice(0, -1).forEach((piece, index) => expect(after.pieces[index]).toBe(piece));
});
