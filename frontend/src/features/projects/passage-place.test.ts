import { passagePlace } from './passage-place';

const TEXT = 'The harbour opens\n at six. A berth costs five euros a day.\n\nDogs are welcome.';

const found = (beginning: string, length: number) => {
  const place = passagePlace(TEXT, beginning, length);
  return place && TEXT.slice(place.start, place.end);
};

it.each([
  ['A berth costs', 25, 'A berth costs five euros a day.'],
  ['harbour opens at six.', 18, 'harbour opens\n at six.'],
  ['five euros a day.\nDogs', 18, 'five euros a day.\n\nDogs'],
  ['Dogs', 900, 'Dogs are welcome.'],
  ['Cats', 4, null],
  [' ', 4, null],
])('finds the passage that begins with %j', (beginning, length, passage) => {
  expect(found(beginning, length)).toBe(passage);
});

it('finds the rows of a piece of a table, which begins with the header', () => {
  const table = 'Berth\tFee\n1\t10\n2\t20\n3\t30\n';
  expect(passagePlace(table, 'Berth\tFee\n2\t20', 14)).toEqual({ start: 15, end: 24 });
});

it('takes linear time for the text of a large section', () => {
  expect(passagePlace('ab '.repeat(1_000_000), `${'ab'.repeat(100)}c`, 201)).toBeNull();
});
