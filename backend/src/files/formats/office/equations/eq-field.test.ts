import { p, read, word } from '../../../../../test/files/made-documents.js';
import { drawnByField } from './eq-field.js';

const READING = 'EQ \\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(とうきょう),東京)';

it.each([
  ['EQ \\f(1,2)', '1/2'],
  [' eq \\f(a;b) + \\r(3,x) ', 'a/b + 3 x'],
  [READING, 'とうきょう 東京'],
  ['EQ \\i\\su(1,5,3)', '1 5 3'],
  ['HYPERLINK "http://example.com"', ''],
  ['EQUATION 1', ''],
  ['', ''],
])('gives what a field draws: %s', (instruction, drawn) => {
  expect(drawnByField(instruction)).toBe(drawn);
});

const mark = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const instruction = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
const run = (text: string) => `<w:r><w:t>${text}</w:t></w:r>`;

it('has the equations of DOCX, and results of other fields in place of their instructions', async () => {
  const equation = mark('begin') + instruction('EQ \\f(1,') + instruction('2)') + mark('end');
  const link = `${mark('begin')}${instruction('HYPERLINK x')}${mark('separate')}${run('page')}${mark('end')}`;
  const bytes = word(`<w:p>${run('half ')}${equation}${run(' of ')}${link}</w:p>${p('after')}`);
  expect(await read(bytes, 'zip')).toMatchObject({ text: 'half 1/2 of page\nafter' });
});

it('has the equations of RTF', async () => {
  const rtf =
    '{\\rtf1 half {\\field{\\*\\fldinst {EQ \\\\f(1,2)}}{\\fldrslt }} of {\\field{\\*\\fldinst HYPERLINK x}{\\fldrslt page}}}';
  expect(await read(Buffer.from(rtf), 'rtf')).toMatchObject({ text: 'half 1/2 of page' });
});

it.each([
  ['MACROBUTTON NoMacro [Your name]', '[Your name]'],
  ['GOTOBUTTON mark page two', 'page two'],
  ['MACROBUTTON NoMacro', ''],
  ['SYMBOL 252 \\f "Wingdings" \\s 12', '✓'],
  ['SYMBOL 109 \\f Symbol', 'μ'],
  ['SYMBOL 8364 \\u', '€'],
  ['SYMBOL 0x41', 'A'],
  ['SYMBOL 99999999', ''],
  ['SYMBOL x', ''],
])('gives what a button or a symbol shows: %s', (instruction, drawn) => {
  expect(drawnByField(instruction)).toBe(drawn);
});
