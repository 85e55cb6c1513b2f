import { searchPattern } from '../../shared/search-pattern';
import { rangesOf } from './mark-words';

test('finds words in the shown text, across elements and ignoring case and white space', () => {
  const row = document.createElement('div');
  const [first, second, bold] = ['p', 'p', 'strong'].map((tag) => document.createElement(tag));
  bold!.append('old Harb');
  first!.append('The ', bold!, 'our is\nclosed.');
  second!.append('harbour');
  row.append(first!, second!);
  const found = (words: string) => rangesOf(row, searchPattern(words)!).map(String);
  expect(found('harbour')).toEqual(['Harbour', 'harbour']);
  expect(found('is closed')).toEqual(['is\nclosed']);
  expect(found('(old)')).toEqual([]);
});

test('leaves out what is folded away', () => {
  const row = document.createElement('div');
  const folded = document.createElement('details');
  folded.append('harbour');
  row.append(folded, 'A harbour');
  expect(rangesOf(row, /harbour/u)).toHaveLength(1);
});

test('finds all places of a word, in one node and across several', () => {
  const row = document.createElement('div');
  row.append('a b a ', 'b', ' ', 'a b', 'a', ' b');
  expect(rangesOf(row, /a b/u).map(String)).toEqual(['a b', 'a b', 'a b', 'a b']);
});
