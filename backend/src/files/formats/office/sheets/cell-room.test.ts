import { CellRoom, checkStrings, withoutLaterCells } from './cell-room.js';

const ROW = [0, 2, 0, 0];

/** A cell with a number of more than 127 bytes, whose size has two bytes. */
const CELL = [2, 0x80 | 72, 1, ...Array<number>(200).fill(7)];

const BLANK = [1, 1, 0];

/** A record whose type has two bytes. */
const OTHER = [0x94, 1, 1, 0];

it('leaves a sheet as it is while there is room', () => {
  const sheet = Uint8Array.from([...OTHER, ...ROW, ...CELL, ...BLANK, ...ROW]);
  const room = new CellRoom();
  expect(room.cut(sheet)).toEqual(sheet);
  expect(room.isSpent).toBe(false);
});

it('cuts before the first row without room, in all sheets together', () => {
  const room = new CellRoom(2);
  const [one, two] = [
    [...ROW, ...BLANK, ...CELL],
    [...ROW, ...CELL, ...CELL, ...ROW, ...CELL],
  ].map((sheet) => Uint8Array.from(sheet)) as [Uint8Array, Uint8Array];
  expect(room.cut(one)).toEqual(one);
  expect(room.cut(two)).toEqual(two.subarray(0, ROW.length + 2 * CELL.length));
  expect(room.isSpent).toBe(true);
});

it('counts long texts as cells with as many characters', () => {
  const text = Buffer.alloc(2 + 12 + 100);
  text[0] = 8;
  text[1] = 12 + 100;
  text.writeUInt32LE(50, 2 + 8);
  const endless = Buffer.from(text);
  endless.writeUInt32LE(0xffffffff, 2 + 8);
  for (const cell of [text, endless]) {
    const sheet = Uint8Array.from([...ROW, ...cell, ...ROW, ...BLANK]);
    expect(new CellRoom(25).cut(sheet)).toEqual(sheet.subarray(0, ROW.length + cell.length));
    expect(new CellRoom(26).cut(sheet)).toEqual(sheet);
  }
});

it('ends at a record that claims more than there is', () => {
  const sheet = Uint8Array.from([...ROW, 2, 0xff, 0xff, 0xff, 0xff]);
  expect(new CellRoom().cut(sheet)).toEqual(sheet);
});

it('refuses more shared texts than can be kept', () => {
  const text = Buffer.from([19, 1, 0]);
  expect(() => checkStrings(Buffer.concat(Array<Buffer>(2_000).fill(text)))).not.toThrow();
  expect(() => checkStrings(Buffer.alloc(3 * 2_000_001, text))).toThrow('hostile');
});

it('leaves out the later cells of a workbook before 2007, each with the text of its formula', () => {
  const record = (type: number, length: number) => {
    const bytes = Buffer.alloc(4 + length);
    bytes.writeUInt16LE(type, 0);
    bytes.writeUInt16LE(length, 2);
    return bytes;
  };
  const stream = Buffer.concat([
    record(0x809, 2),
    record(0x203, 14),
    record(0xbd, 18),
    record(6, 20),
    record(0x207, 5),
    record(10, 0),
  ]);
  const types = (bytes: Buffer) => {
    const found: number[] = [];
    for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt16LE(at + 2)) found.push(bytes.readUInt16LE(at));
    return found;
  };
  expect(withoutLaterCells(stream, 4)).toBeNull();
  expect(types(withoutLaterCells(stream, 3)!)).toEqual([0x809, 0x203, 0xbd, 0x51, 0x51, 10]);
  expect(types(withoutLaterCells(stream, 2)!)).toEqual([0x809, 0x203, 0x51, 0x51, 0x51, 10]);
  expect(stream.readUInt16LE(0)).toBe(0x809);
});
