import { textsAround } from './xls-shapes.js';
import { xlsRecord as record } from '../../../../../test/files/made-documents.js';

const wide = (text: string) => Buffer.from(text, 'utf16le');

const START = record(0x0809, Buffer.alloc(16));
const END = record(0x000a);
const object = (type: number) => record(0x005d, [0x15, 0, 0x12, 0, type, 0]);
const shape = (length: number) => record(0x01b6, Buffer.alloc(10), [length, 0], Buffer.alloc(6));

/** A workbook with sheets, each of its records. */
function workbook(...sheets: Buffer[][]): Buffer {
  const bodies = sheets.map((records) => Buffer.concat([START, ...records, END]));
  let place = START.length + sheets.length * 8 + END.length;
  const entries = bodies.map((body) => {
    const start = Buffer.alloc(4);
    start.writeUInt32LE(place);
    place += body.length;
    return record(0x0085, start);
  });
  return Buffer.concat([START, ...entries, END, ...bodies]);
}

it('gives headers, footers, and the texts of shapes and charts, for each sheet', () => {
  const header = record(0x0014, [4, 0, 1], wide('Größ'));
  const footer = record(0x0015, [4, 0, 0], Buffer.from('page'));
  const box = [object(6), shape(6), record(0x003c, [1], wide('東京')), record(0x003c, [0], Buffer.from(' box'))];
  const chart = [
    START,
    record(0x0014, [4, 0, 0], Buffer.from('no 1')),
    record(0x100d, [0, 0, 5, 0], Buffer.from('Sales')),
    END,
  ];
  expect(textsAround(workbook([header, ...box, ...chart], [footer]))).toMatchObject([
    { margins: ['Größ'], shapes: ['東京 box', 'Sales'] },
    { margins: ['page'], shapes: [] },
  ]);
});

it('leaves out comments, which the cells have', () => {
  const comment = [object(0x19), shape(3), record(0x003c, [0], Buffer.from('why'))];
  expect(textsAround(workbook(comment))).toMatchObject([{ margins: [], shapes: [] }]);
});

it('gives what it has of a cut workbook', () => {
  const whole = workbook([object(6), shape(9), record(0x003c, [0], Buffer.from('a cut box'))]);
  expect(textsAround(whole.subarray(0, whole.length - 8))).toMatchObject([{ margins: [], shapes: ['a cut'] }]);
  expect(textsAround(Buffer.alloc(3))).toEqual([]);
});
