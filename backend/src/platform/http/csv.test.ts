import { csvLines } from './csv.js';

const cellOf = (text: string): string =>
  csvLines([['id', text]])
    .slice('id,'.length)
    .trimEnd();

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '＝1'])('TX-3: marks the formula %j as text', (text) => {
  expect(cellOf(text)).toBe(`'${text}`);
});

// With a semicolon as the separator of lists, as in German, Excel makes cells of what follows each.
it.each([
  ["a;=cmd|'/C calc'!A0;", "a;'=cmd|'/C calc'!A0;"],
  ['a;+1;-1;@A1', "a;'+1;'-1;'@A1"],
  ['a\t=1', "a\t'=1"],
  ['a;＝1', "a;'＝1"],
  ['a\n=1', `"a\n'=1"`],
])('TX-3: marks a formula that begins in %j', (text, written) => {
  expect(cellOf(text)).toBe(written);
});

it.each(['a; b', 'Ana-Maria; Bo', '1=1', 'a@b.example', '2026-11-28'])('leaves %j as it is', (text) => {
  expect(cellOf(text)).toBe(text);
});

it('leaves numbers and empty cells as they are', () => {
  expect(csvLines([[-1, null, 0.5]])).toBe('-1,,0.5\r\n');
});
