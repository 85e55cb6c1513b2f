import type { PageWord } from '@tanya/contract';
import { passageMarks, passagePlace } from './passage-place';

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
  expect(passagePlace(`${'ab '.repeat(1_000_000)} c d`, 'cd')).toEqual({ start: 3_000_001, end: 3_000_004 });
});

describe('the marks of a passage on its page', () => {
  const words: PageWord[] = [
    ['The', 1000, 1000, 300, 100],
    ['harbour', 1400, 990, 700, 120],
    ['opens', 1000, 1200, 500, 100],
    ['exam', 5000, 1200, 400, 100],
    ['ple', 1000, 1400, 300, 100],
  ];

  it('are one for each line', () => {
    expect(passageMarks(words, 'The harbour opens')).toEqual([
      { left: 1000, top: 990, width: 1100, height: 120 },
      { left: 1000, top: 1200, width: 500, height: 100 },
    ]);
  });

  it('follow a word over a hyphen, and begin within a piece', () => {
    expect(passageMarks(words, 'example')).toEqual([
      { left: 5000, top: 1200, width: 400, height: 100 },
      { left: 1000, top: 1400, width: 300, height: 100 },
    ]);
    expect(passageMarks(words, 'bour')).toEqual([{ left: 1700, top: 990, width: 400, height: 120 }]);
  });

  it('are found where the text has raised digits, bullets, brackets and Arabic letters as they are meant', () => {
    const page: PageWord[] = [
      ['\uf0b7', 0, 0, 10, 10],
      ['106', 10, 0, 30, 10],
      [')أب(', 40, 0, 30, 10],
      ['دوالر', 70, 0, 50, 10],
    ];
    expect(passageMarks(page, '• 10⁶ (أب) دولار')).toEqual([{ left: 0, top: 0, width: 120, height: 10 }]);
  });

  it('are none for another text, and on a page without words', () => {
    expect(passageMarks(words, 'ferry')).toEqual([]);
    expect(passageMarks([], 'harbour')).toEqual([]);
    expect(passageMarks(words, '')).toEqual([]);
  });
});
