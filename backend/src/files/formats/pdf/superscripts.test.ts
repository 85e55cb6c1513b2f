import { read } from '../../../../test/files/made-documents.js';

const page = (content: string, size = '300 300') =>
  Buffer.from(
    [
      '%PDF-1.4',
      '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
      '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
      `3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size}]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj`,
      `4 0 obj<</Length ${content.length}>>stream\n${content}\nendstream endobj`,
      '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
      'trailer<</Root 1 0 R>>',
      '%%EOF',
    ].join('\n'),
  );

const line = (text: string) => `0 Ts /F1 12 Tf (${text}) Tj `;
const above = (text: string) => `5 Ts /F1 7 Tf (${text}) Tj `;
const below = (text: string) => `-3 Ts /F1 7 Tf (${text}) Tj `;

it.each([
  ['of a power', line('x = 10') + above('-12') + line(', m') + above('2') + line('.'), 'x = 10⁻¹², m².'],
  ['of a note', line('the words.') + above('12') + line(' and'), 'the words.¹² and'],
  ['of one size beside those above', line('1234') + above('56'), '1234⁵⁶'],
])('raises the digits %s', async (_, text, expected) => {
  expect(await read(page(`BT 20 100 Td ${text}ET`), 'pdf')).toMatchObject({ text: `[page 1]\n${expected}` });
});

it('raises those of text that runs upwards, in a matrix that scales it', async () => {
  const text = `BT 0 12 -12 0 100 20 Tm 0 Ts /F1 1 Tf (10) Tj .4 Ts /F1 .6 Tf (6) Tj ET`;
  expect(await read(page(text), 'pdf')).toMatchObject({ text: '[page 1]\n10⁶' });
});

it.each([
  ['below the line', line('H') + below('2') + line('O'), 'H2O'],
  ['that are only small', line('x') + '0 Ts /F1 7 Tf (2) Tj ', 'x2'],
  ['after a space', line('see ') + above('1'), 'see 1'],
])('keeps digits %s', async (_, text, expected) => {
  expect(await read(page(`BT 20 100 Td ${text}ET`), 'pdf')).toMatchObject({ text: `[page 1]\n${expected}` });
});
