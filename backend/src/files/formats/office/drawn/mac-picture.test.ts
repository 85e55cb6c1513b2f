import { linesOf } from './metafile.js';
import { macTexts } from './mac-picture.js';

const HEAD = '0000' + '0000000000640064';

const hex = (...parts: string[]) => Buffer.from(parts.join('').replaceAll(' ', ''), 'hex');

const letters = (text: string) => Buffer.from(text, 'latin1').toString('hex');

const size = (text: string) => text.length.toString(16).padStart(2, '0');

const read = (picture: Buffer) => linesOf(macTexts(picture));

const sales = size('Sales') + letters('Sales');

it('gives the texts of version 2 with what stands between them skipped', () => {
  const picture = hex(
    HEAD,
    '0011 02ff 0c00',
    '00'.repeat(24),
    '0001 000a 0000000000640064',
    '00a1 0064 0003 aabbcc 00',
    '0070 000a 0000000000010001',
    '002c 0004 00000001',
    '0028 000a 0005',
    sales,
    '0029 14',
    `04${letters('2026')}`,
    '002b 05 0a',
    `05${letters('K\u009ache')}00`,
    '00ff',
  );
  expect(read(picture)).toBe('Sales 2026\nKöche');
});

it('gives the texts of version 1', () => {
  expect(read(hex(HEAD, '1101', '30 0000000000640064', '28 000a 0005', sales, '2a 0c', sales, 'ff'))).toBe(
    'Sales\nSales',
  );
});

it.each([
  ['a bitmap', '0098 0028'],
  ['its end', '0028 000a'],
  ['a text that is cut', '0028 000a 0005 ff 41'],
])('ends at %s', (_, rest) => {
  expect(read(hex(HEAD, '0011 02ff', '0028 000a 0005', sales, rest))).toBe('Sales');
});

it('gives nothing for what is no picture', () => {
  expect(read(hex('00'))).toBe('');
});
