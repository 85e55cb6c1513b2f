import { isContents } from './contents.js';

it.each([
  [true, '1 Introduction ........ 11\n1.1 Paging ....................... 11\n1.2 Widths . . . . . . . . . 13'],
  [true, 'Preface ...... vii\nAuthors ....... ix\nStart ....... 1'],
  [false, 'Chapter 1 ........ 11\nChapter 2 ........ 14'],
  [false, `Fill in: name ........ date ........ place ........\n`],
  [false, `Wait ..... 3 times ..... 4 times ..... 5 times. ${'The long text that stands beside. '.repeat(40)}`],
])('tells that it is %s that a text is a table of contents', (is, text) => {
  expect(isContents(text)).toBe(is);
});

it('takes linear time', () => {
  for (const piece of ['.', '. ', '.... ', '....1 ']) isContents(piece.repeat(200_000));
});
