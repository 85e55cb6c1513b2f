import { LineMender } from './line-mender';

/** A text as it is rendered while it grows by one character at a time, and at its end, which is that of the whole text. */
function mended(text: string): { end: string; steps: string[] } {
  const mender = new LineMender();
  const steps = [...text].map((_, index) => mender.mend(text.slice(0, index + 1), false));
  const end = mender.mend(text, true);
  expect(end).toBe(new LineMender().mend(text, true));
  return { end, steps };
}

test.each([
  '1. > 2024 was a good year\n   > for sailors',
  '- > 1. First rule',
  '- > 25 of them came\n  > to see it',
  '- > $5 was all I had',
  '-     > 25',
  'Code:\n\n    - > 5:',
])('a quotation that begins with a number, and code, stay as they are: %j', (text) => {
  const { end, steps } = mended(text);
  expect(end).toBe(text);
  expect(steps.filter((step) => step.includes('\\>'))).toEqual([]);
});

test.each([
  ['- > 25: much\n- >= $30 a day\n1. >5 of 7', '- \\> 25: much\n- \\>= $30 a day\n1. \\>5 of 7'],
  ['- a\n    - > 90 %\n    - > 2.5', '- a\n    - \\> 90 %\n    - \\> 2.5'],
])('an item that begins with a comparison is none: %j', (text, expected) => {
  expect(mended(text).end).toBe(expected);
});

test('the rules of a grammar are no table while they grow', () => {
  const text = 'The grammar\nexpr ::= a\n| b + c\n| d * e\n| f';
  const { end, steps } = mended(text);
  expect(end).toBe(text);
  expect(steps.filter((step) => step.includes('---'))).toEqual([]);
});

test('the second line of a table without spaces stays below its head in an item', () => {
  const { end, steps } = mended('- First\n|a|b|\n| --- | --- |\n| 1 | 2 |');
  expect(end).toBe('- First\n|a|b|\n| --- | --- |\n| 1 | 2 |');
  expect(steps.filter((step) => step.includes('\n\n'))).toEqual([]);
});
