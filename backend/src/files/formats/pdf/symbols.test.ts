import { read } from '../../../../test/files/made-documents.js';

/** A page with one letter of a font, which stands for a private one. */
const page = (font: string, letter: string) => {
  const content = 'BT /F1 12 Tf 20 100 Td (A) Tj ET';
  const map =
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def 1 begincodespacerange <00> <ff> endcodespacerange ' +
    `1 beginbfchar <41> <${letter}> endbfchar endcmap end end`;
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R 7 0 R]/Count 2>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj',
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      `5 0 obj<</Type/Font/Subtype/TrueType/BaseFont/${font}/ToUnicode 6 0 R/FirstChar 65/LastChar 65/Widths[600]>>endobj`,
      `6 0 obj<</Length ${map.length}>>stream\n${map}\nendstream endobj`,
      '7 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 8 0 R/Resources<</Font<</F1 9 0 R>>>>>>endobj',
      `8 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      '9 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF',
    ].join('\n'),
  );
};

it.each([
  ['ABCDEF+SymbolMT', 'f0b7', '•'],
  ['Symbol', 'f06d', 'μ'],
  ['ABCDEF+Wingdings-Regular', 'f0fe', '☑'],
  ['Wingdings2', 'f052', '☑'],
])('shows what the font %s draws', async (font, letter, shown) => {
  expect(await read(page(font, letter), 'pdf')).toMatchObject({ text: `[page 1]\n${shown}\n\n[page 2]\nA` });
});

it('takes a page of unknown symbols as a picture', async () => {
  expect(await read(page('Logos', 'f041'), 'pdf')).toMatchObject({ text: '[page 2]\nA', textless: [1] });
});
