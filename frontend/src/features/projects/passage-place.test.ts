import { passagePlace } from './passage-place';

const TEXT = 'The harbour opens\n at six. A berth costs five euros a day.\n\nDogs are welcome.';

const found = (quote: string) => {
  const place = passagePlace(TEXT, quote);
  return place && TEXT.slice(place.start, place.end);
};

it.each([
  ['A berth costs five euros a day.', 'A berth costs five euros a day.'],
  ['harbour opens at six.', 'harbour opens\n at six.'],
  ['five euros a day.\nDogs', 'five euros a day.\n\nDogs'],
  ['Dogs are wel…', 'Dogs are wel'],
  ['Cats', null],
  [' ', null],
])('finds the passage %j', (quote, passage) => {
  expect(found(quote)).toBe(passage);
});

it('finds the rows of a piece of a table, which begins with the header', () => {
  const table = 'Berth\tFee\n1\t10\n2\t20\n3\t30\n';
  expect(passagePlace(table, 'Berth\tFee\n2\t20\n3\t30')).toEqual({ start: 15, end: 24 });
});

it('takes linear time for the text of a large section', () => {
  expect(passagePlace('ab '.repeat(1_000_000), `${'ab'.repeat(100)}c`)).toBeNull();
});
