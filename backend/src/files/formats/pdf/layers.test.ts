import { layered, line, on } from '../../../../test/files/layered-pdf.js';
import { readDocument } from '../read-document.js';

async function textOf(bytes: Buffer): Promise<unknown> {
  const result = await readDocument(bytes, 'pdf');
  return 'problem' in result ? result.problem : result.sections.map(({ text }) => text.trim()).join('');
}

it.each<[string, string, string]>([
  [
    'that are off are apart and marked, those that are on stay in their place',
    line('Price 42', 700) + on('L1', line('Price 17', 650) + line('not agreed', 640)) + on('L2', line('Agreed', 600)),
    'Price 42\nAgreed\n[hidden layer "Draft": Price 17 not agreed]',
  ],
  [
    'in the same line',
    line('Total', 700) + on('L1', 'BT /F1 12 Tf 90 700 Td (VOID) Tj ET'),
    'Total\n[hidden layer "Draft": VOID]',
  ],
  ['that are on alone', line('one', 700) + on('L2', line('two', 650)), 'one\ntwo'],
  ['that are marks of another kind', line('one', 700) + `/Span << /MCID 0 >> BDC ${line('two', 650)} EMC`, 'one\ntwo'],
  ['behind a scan, whose letters are never drawn', on('L1', line('scanned words', 700, '3 Tr')), 'scanned words'],
  ['out of the page, which tell nothing', line('one', 700) + on('L2', line('beyond', 2_000)), 'one\nbeyond'],
])('texts on layers %s', async (_, content, text) => {
  expect(await textOf(layered(content))).toBe(text);
});

it('a layer that is on by the configuration of the document is shown', async () => {
  const content = line('one', 700) + on('L1', line('two', 650));
  expect(await textOf(layered(content, '/BaseState /OFF /ON [5 0 R]'))).toBe('one\ntwo');
  expect(await textOf(layered(content, '/BaseState /OFF /ON [6 0 R]'))).toBe('one\n[hidden layer "Draft": two]');
});

it('texts inside of a thousand marks are read', async () => {
  const marks = 1_000;
  const content = '/OC /L2 BDC '.repeat(marks) + line('word', 700).repeat(marks) + 'EMC '.repeat(marks);
  expect(await textOf(layered(content))).toMatch(/^word/);
});
