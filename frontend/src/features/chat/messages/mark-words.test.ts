import { rangesOf } from './mark-words';

test('finds words in the shown text, across elements and ignoring case and white space', () => {
  const row = document.createElement('div');
  row.innerHTML = '<p>The <strong>old Harb</strong>our is\nclosed.</p><p>harbour</p>';
  const found = (words: string) => rangesOf(row, words).map(String);
  expect(found('harbour')).toEqual(['Harbour', 'harbour']);
  expect(found('is closed')).toEqual(['is\nclosed']);
  expect(found('(old)')).toEqual([]);
  expect(found(' ')).toEqual([]);
});
