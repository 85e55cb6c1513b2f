import { rangesOf } from './mark-words';

test('finds words in the shown text, across elements and ignoring case and white space', () => {
  const row = document.createElement('div');
  const [first, second, bold] = ['p', 'p', 'strong'].map((tag) => document.createElement(tag));
  bold!.append('old Harb');
  first!.append('The ', bold!, 'our is\nclosed.');
  second!.append('harbour');
  row.append(first!, second!);
  const found = (words: string) => rangesOf(row, words).map(String);
  expect(found('harbour')).toEqual(['Harbour', 'harbour']);
  expect(found('is closed')).toEqual(['is\nclosed']);
  expect(found('(old)')).toEqual([]);
  expect(found(' ')).toEqual([]);
});
