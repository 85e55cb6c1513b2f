import { compareLines, compareWords, type Piece } from './compare-texts';

const marked = (pieces: Piece[]): string =>
  pieces.map(({ text, isChanged }) => (isChanged ? `<${text}>` : text)).join('');

test('marks the words that differ', () => {
  const { before, after } = compareWords('Looks up a word.', 'Looks up a word and sends it.');
  expect(marked(before)).toBe('Looks up a word.');
  expect(marked(after)).toBe('Looks up a word< and sends it>.');
});

test('marks the lines that differ', () => {
  const { before, after } = compareLines('{\n  "a": 1\n}', '{\n  "a": 2\n}');
  expect(marked(before)).toBe('{\n<  "a": 1\n>}');
  expect(marked(after)).toBe('{\n<  "a": 2\n>}');
});

test('marks nothing in equal texts', () => {
  expect(marked(compareLines('a\nb', 'a\nb').after)).toBe('a\nb');
});

test('marks texts as wholly different after too many edits', () => {
  const lines = (prefix: string): string => Array.from({ length: 1_500 }, (_, index) => `${prefix}${index}`).join('\n');
  const [before, after] = [lines('a'), lines('b')];
  expect(compareLines(before, after)).toEqual({
    before: [{ text: before, isChanged: true }],
    after: [{ text: after, isChanged: true }],
  });
});
