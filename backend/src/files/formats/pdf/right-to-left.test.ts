import { read } from '../../../../test/files/made-documents.js';

/** What letters of the page stand for. */
const LETTERS: Record<string, string> = {
  A: 'א',
  B: 'ב',
  C: 'ג',
  D: 'ד',
  R: 'ر',
  L: 'لا',
  W: 'و',
  Q: 'د',
};

const hex = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex');

const MAP =
  '/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def 1 begincodespacerange <00> <ff> endcodespacerange ' +
  `${Object.keys(LETTERS).length} beginbfchar ${Object.entries(LETTERS)
    .map(([code, text]) => `<${code.charCodeAt(0).toString(16)}> <${hex(text)}>`)
    .join(' ')} endbfchar endcmap end end`;

/** A page with its letters from left to right. */
const page = (letters: string) => {
  const content = `BT /F1 12 Tf 20 100 Td (${letters}) Tj ET`;
  return Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj',
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R>>endobj',
      `6 0 obj<</Length ${MAP.length}>>stream\n${MAP}\nendstream endobj`,
      'trailer<</Root 1 0 R>>',
      '%%EOF',
    ].join('\n'),
  );
};

it.each([
  ['letters that a font draws as one', 'RLWQ', 'دولار'],
  ['brackets in their logical form', '\\)DC\\( BA', 'אב (גד)'],
  ['brackets as they are drawn', '\\(DC\\) BA', 'אב (גד)'],
  ['brackets of which others stand on another line', '\\)DC BA', 'אב גד('],
])('a line from right to left has %s as people write them', async (_, letters, text) => {
  expect(await read(page(letters), 'pdf')).toMatchObject({ text: `[page 1]\n${text}` });
});
