import { read } from '../../../../test/files/made-documents.js';

const page = (content: string, entries = '') =>
  Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 500]${entries}/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>endobj`,
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>endobj',
      '6 0 obj<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/UniJIS-UCS2-V/DescendantFonts[7 0 R]>>endobj',
      '7 0 obj<</Type/Font/Subtype/CIDFontType0/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000/FontDescriptor 8 0 R>>endobj',
      '8 0 obj<</Type/FontDescriptor/FontName/HeiseiMin-W3/Flags 4/Ascent 800/Descent -200/FontBBox[0 -200 1000 800]/ItalicAngle 0/CapHeight 700/StemV 80>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF',
    ].join('\n'),
    'latin1',
  );

const at = (x: number, y: number, text: string) => `1 0 0 1 ${x} ${y} Tm (${text}) Tj `;

/** Each row of a table with wide columns. */
const table = (rows: string[][]) =>
  rows.flatMap((row, index) => row.map((cell, column) => at(50 + 200 * column, 450 - 20 * index, cell))).join('');

const textOf = async (bytes: Buffer) => {
  const result = await read(bytes, 'pdf');
  return 'text' in result ? result.text : result;
};

it('keeps single characters in the row of their table', async () => {
  const rows = [
    ['Item', 'Qty', 'Price'],
    ['Pen', '2', '3.50'],
    ['Ink', '10', '4'],
    ['X', '5', '7'],
  ];
  expect(await textOf(page(`BT /F1 12 Tf ${table(rows)} ET`))).toBe(
    `[page 1]\n${rows.map((row) => row.join(' ')).join('\n')}`,
  );
});

it('keeps the rows of columns apart that stand on other lines', async () => {
  const columns = (...below: string[]) =>
    below
      .map((word, index) => at(50 + 250 * index, 400, ['left', 'right'][index]!) + at(50 + 250 * index, 380, word))
      .join('');
  expect(await textOf(page(`BT /F1 12 Tf ${columns('also', 'below')} ET`))).toBe('[page 1]\nleft\nalso\nright\nbelow');
  expect(await textOf(page(`BT /F1 12 Tf ${columns('a', 'b')} ET`))).toBe('[page 1]\nleft a\nright b');
});

it.each([
  ['90', '1 0 0 1 50'],
  ['270', '1 0 0 1 50'],
])('reads the lines of a page that is turned by %s degrees in their order', async (rotation, matrix) => {
  const lines = ['First line', 'Second line', 'Third one'].map(
    (text, index) => `${matrix} ${400 - 20 * index} Tm (${text}) Tj`,
  );
  expect(await textOf(page(`BT /F1 12 Tf ${lines.join(' ')} ET`, `/Rotate ${rotation}`))).toBe(
    '[page 1]\nFirst line\nSecond line\nThird one',
  );
});

it('reads lines that run down the page in their order', async () => {
  const lines = ['First line', 'Second line'].map((text, index) => `0 -1 1 0 ${300 - 20 * index} 400 Tm (${text}) Tj`);
  expect(await textOf(page(`BT /F1 12 Tf ${lines.join(' ')} ET`))).toBe('[page 1]\nFirst line\nSecond line');
});

it('reads vertical lines of Japanese from right to left', async () => {
  const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const lines = ['縦書きの一行目。', '縦書きの二行目。', '三行目です。'].map(
    (text, index) => `1 0 0 1 ${400 - 30 * index} 450 Tm <${hex(text)}> Tj`,
  );
  expect(await textOf(page(`BT /F2 14 Tf ${lines.join(' ')} ET`))).toBe(
    '[page 1]\n縦書きの一行目。\n縦書きの二行目。\n三行目です。',
  );
});

it.each([
  ['of a word that is divided', 'inter-', 'national', 'international'],
  ['of a word in capitals that is divided', 'INTER-', 'NATIONAL', 'INTERNATIONAL'],
  ['before a name', 'a cost-', 'Benefit', 'a cost-Benefit'],
  ['behind a letter', 'die U-', 'Bahn', 'die U-Bahn'],
  ['that a font has as a soft one', 'well\\255known', 'men', 'well-known\nmen'],
])('reads a hyphen %s', async (_, first, second, text) => {
  expect(await textOf(page(`BT /F1 12 Tf ${at(50, 400, first)}${at(50, 385, second)} ET`))).toBe(`[page 1]\n${text}`);
});
