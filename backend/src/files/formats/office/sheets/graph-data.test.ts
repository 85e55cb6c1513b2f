import { MAX_CELLS } from './cell-room.js';
import { readGraph } from './graph-data.js';
import { SectionCollector } from '../../sections.js';
import { ole, read, xlsRecord as record } from '../../../../../test/files/made-documents.js';

const narrow = (text: string) => Buffer.from(text, 'latin1');

const cell = (row: number, column: number) => [row, 0, column, 0, 0, 0, 0];

const number = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

const begin = (version: number) => record(0x0809, [0, version, 5, 0, 0, 0, 0, 0]);
const sheet = (name: string) => record(0x0085, [0, 0, 0, 0, 0, 2, name.length], narrow(name));

/** What is read of a chart; null for a workbook. */
function graph(...records: Buffer[]) {
  const out = new SectionCollector();
  return readGraph(Buffer.concat(records), out) ? out.collected() : null;
}

it('reads the data of a chart, with wide and narrow letters', async () => {
  const Workbook = Buffer.concat([
    begin(6),
    sheet(''),
    record(0x0004, cell(0, 1), [4, 0], narrow('East')),
    record(0x0004, cell(1, 0), [2, 1], Buffer.from('東京', 'utf16le')),
    record(0x0003, cell(1, 1), number(20.4)),
    record(0x0003, cell(1, 2), [1, 2]),
  ]);
  expect(await read(ole({ Workbook }), 'ole')).toMatchObject({ text: '\tEast\n東京\t20.4' });
});

it('reads the data of one before 1997 in its code page', () => {
  const label = record(0x0004, cell(0, 0), [4], narrow('Gr\x9a\xa7'));
  expect(graph(begin(5), record(0x0042, [0x10, 0x27]), sheet(''), label)).toMatchObject({
    sections: [{ text: 'Größ' }],
  });
});

it('leaves workbooks, whose sheets have names, to their reader', () => {
  expect(graph(begin(6), sheet('One'), record(0x0003, cell(0, 0), number(1)))).toBeNull();
  expect(graph()).toBeNull();
});

it('reads as many cells as of a workbook, with a notice', () => {
  const one = record(0x0003, cell(0, 0), number(1));
  const most = Buffer.concat(Array<Buffer>(MAX_CELLS).fill(one));
  expect(graph(begin(6), sheet(''), most)).toMatchObject({ isCut: false });
  expect(graph(begin(6), sheet(''), most, one)).toMatchObject({ isCut: true });
});
