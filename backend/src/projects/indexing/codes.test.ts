import { codesIn } from './codes.js';

it.each([
  ['Invoice INV-2024/0091 of 5 May', ['inv20240091']],
  ['ISO 9001 and ISO-27001', ['iso9001', '9001', 'iso27001']],
  ['ＩＳＯ－９００１', ['iso9001']],
  ['§ 12, §§ 7a and Art. 5 Abs. 2', ['§12§', '§7a§', 'art5§']],
  ['Article 5, Artikel 5, article 5.1', ['art5§', 'art5.1§']],
  ['Pasal 5 ayat 2', ['pas5§', 'aya2§']],
  ['part 5, cart 5, 5 articles', []],
])('finds the codes in %j', (text, codes) => {
  expect(codesIn(text)).toEqual(codes);
});

it('takes linear time and a bounded number', () => {
  for (const piece of ['§ ', '§ 1 ', 'A', 'A1-', 'ISO 12 ', 'art. '])
    expect(codesIn(piece.repeat(100_000)).length).toBeLessThanOrEqual(200);
});
