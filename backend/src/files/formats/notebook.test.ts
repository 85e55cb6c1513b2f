import { read } from '../../../test/files/made-documents.js';

const notebook = (value: unknown) => read(Buffer.from(JSON.stringify(value)), 'notebook', 'ipynb');

const code = (source: string, ...outputs: object[]) => ({ cell_type: 'code', source, outputs });

it('has its cells in order, code with the text of its outputs, and no pictures', async () => {
  const cells = [
    { cell_type: 'markdown', source: ['# Sales\n', 'of May'] },
    code(
      'total(1)',
      { output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] },
      { output_type: 'execute_result', data: { 'text/plain': ['42'], 'text/html': '<b>42</b>' } },
      { output_type: 'display_data', data: { 'text/html': '<p>only <b>markup</b></p>' } },
      { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' } },
      { output_type: 'error', ename: 'KeyError', evalue: 'x', traceback: ['\u001b[0;31mKeyError\u001b[0m: x'] },
    ),
    code(''),
  ];
  const metadata = { language_info: { name: 'python' } };
  expect(await notebook({ nbformat: 4, metadata, cells })).toMatchObject({
    kind: 'Jupyter notebook',
    text:
      '[cell 1]\n# Sales\nof May\n\n[cell 2]\n```python\ntotal(1)\n```\nOutput:\none\ntwo\n42\nonly markup\n(picture)\nKeyError: x' +
      '\n\n[cell 3]\n```python\n\n```',
  });
});

it('has what follows an output that is null', async () => {
  const cells = [code('a', { output_type: 'display_data', data: null }), code('b')];
  expect(await notebook({ cells })).toMatchObject({ text: '[cell 1]\n```\na\n```\n\n[cell 2]\n```\nb\n```' });
});

it('of version 3 is read too', async () => {
  const cells = [{ cell_type: 'code', input: 'print 1', outputs: [{ output_type: 'stream', text: '1' }] }];
  expect(await notebook({ nbformat: 3, worksheets: [{ cells }] })).toMatchObject({
    text: '[cell 1]\n```\nprint 1\n```\nOutput:\n1',
  });
});

it.each(['{"cells": 5}', '{"cells": [', '[1]', 'null'])('that is none stays as it is: %s', async (text) => {
  expect(await read(Buffer.from(text), 'notebook', 'ipynb')).toMatchObject({ text });
});

it.each([{ cells: [null, 7, {}, { source: { a: 1 }, outputs: 'x' }, { cell_type: 'code', outputs: [null, 3] }] }])(
  'with wrong values is read as far as it is right',
  async (value) => {
    expect(await notebook(value)).not.toHaveProperty('problem');
  },
);

it('has lines that begin with a bracket, which no terminal colours', async () => {
  const text = 'Epoch 1\n[INFO] done\n\t[x] \u001b[1;32mok\u001b[0m';
  expect(await notebook({ cells: [code('train()', { output_type: 'stream', text })] })).toMatchObject({
    text: '[cell 1]\n```\ntrain()\n```\nOutput:\nEpoch 1\n[INFO] done\n\t[x] ok',
  });
});
