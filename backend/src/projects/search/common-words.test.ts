import { CommonWords } from './common-words.js';

afterEach(() => jest.restoreAllMocks());

it('keeps the words of each project for ten minutes', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(0);
  const common = new CommonWords();
  common.add(1, ['the']);
  common.add(2, []);
  now.mockReturnValue(6 * 60_000);
  common.add(1, ['the', 'fee']);
  expect(common.commonIn(1)).toEqual(['the', 'fee']);
  expect(common.commonIn(2)).toEqual([]);
  now.mockReturnValue(11 * 60_000);
  expect(common.commonIn(1)).toEqual([]);
  common.add(1, ['fee']);
  expect(common.commonIn(1)).toEqual(['fee']);
});

it('keeps the projects that were searched last, with a bounded number of words', () => {
  const common = new CommonWords();
  common.add(1, ['the']);
  common.add(2, ['fee']);
  for (let id = 3; id < 202; id += 1) {
    common.add(1, []);
    common.add(id, ['the']);
  }
  expect(common.commonIn(1)).toEqual(['the']);
  expect(common.commonIn(2)).toEqual([]);
  common.add(
    1,
    Array.from({ length: 600 }, (_, at) => `word${at}`),
  );
  expect(common.commonIn(1)).toHaveLength(500);
});
