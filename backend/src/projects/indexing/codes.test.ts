import { codesIn } from './codes.js';

it.each([
  ['Invoice INV-2024/0091 of 5 May', ['inv20240091']],
  ['ISO 9001 and ISO-27001', ['iso9001', '9001', 'iso27001']],
  ['ＩＳＯ－９００１', ['iso9001']],
  ['§ 12, §§ 7a and Art. 5 Abs. 2', ['§12§', '§7a§', 'art5§']],
  ['Article 5, Artikel 5, article 5.1', ['art5§', 'art5.1§']],
  ['Pasal 5 ayat 2', ['pas5§', 'aya2§']],
  ['1,250.00 EUR, 1.250,00, 1.250, 1250,00, CHF 1’250 and 1250', ['1250']],
  ['Rp1.250.000 or Rp 1,250,000', ['rp1250000', '1250000']],
  ['1,250 and 2,500,000.5', ['1250', '2500000']],
  ['-1,250.00, (1,250.00), −1.250, $-1,250 and 1,250.00-', ['1250']],
  ['500,000-1,000,000 or Rp1.000.000-1.500.000', ['rp1000000', '500000', '1000000', '1500000']],
  ['version 1.2.345, 192.168.100.20, 2024-01-31, 1,2,3', ['12345', '19216810020', '20240131']],
  ['part AB_12.345 and AB-1.250', ['ab12345', 'ab1250']],
  ['part 5, cart 5, 5 articles', []],
])('finds the codes in %j', (text, codes) => {
  expect(codesIn(text)).toEqual(codes);
});

it('takes linear time and a bounded number', () => {
  for (const piece of [
    '§ ',
    '§ 1 ',
    'A',
    'A1-',
    'ISO 12 ',
    'art. ',
    '1,250',
    '1.',
    '123,',
    '1,250.00 ',
    '-1,250',
    '1,250-',
    '-',
  ])
    expect(codesIn(piece.repeat(100_000)).length).toBeLessThanOrEqual(200);
});
