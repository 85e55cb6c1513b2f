import { read } from '../../../test/files/made-documents.js';

const u16 = (value: number) => Buffer.from([value & 0xff, value >> 8]);

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);

const attribute = (level: 1 | 2, id: number, value: Buffer) =>
  Buffer.concat([Buffer.from([level]), u16(id), u16(6), u32(value.length), value, u16(0)]);

const property = (type: number, id: number, value: Buffer, name = Buffer.alloc(0)) =>
  Buffer.concat([u16(type), u16(id), name, u32(1), u32(value.length), padded(value)]);

const wide = (id: number, text: string) => property(0x1f, id, Buffer.from(`${text}\0`, 'utf16le'));

const flag = (id: number) => Buffer.concat([u16(0x0b), u16(id), u32(1)]);

const properties = (...all: Buffer[]) => Buffer.concat([u32(all.length), ...all]);

const tnef = (...attributes: Buffer[]) => Buffer.concat([u32(0x223e9f78), u16(1), ...attributes]);

const named = Buffer.concat([Buffer.alloc(16), u32(1), u32(6), padded(Buffer.from('ab\0', 'utf16le'))]);

const inner = tnef(attribute(1, 0x8004, Buffer.from('Inner\0')), attribute(1, 0x800c, Buffer.from('inner text\0')));

const letter = tnef(
  attribute(1, 0x9007, u32(1251)),
  attribute(1, 0x8004, Buffer.from('cf eb e0 ed 00'.replaceAll(' ', ''), 'hex')),
  attribute(
    1,
    0x9003,
    properties(
      flag(0x0e1b),
      property(0x1f, 0x8001, Buffer.from('x\0', 'utf16le'), named),
      wide(0x0c1a, 'Ani'),
      wide(0x0c1f, 'ani@example.com'),
      wide(0x0e04, 'Budi'),
      property(0x102, 0x1013, Buffer.from('<p>Halo <b>dunia</b></p>')),
    ),
  ),
  attribute(2, 0x9002, Buffer.alloc(14)),
  attribute(2, 0x8010, Buffer.from('PRICE~1.CSV\0')),
  attribute(2, 0x800f, Buffer.from('Pen,42')),
  attribute(2, 0x9005, properties(wide(0x3707, 'price.csv'))),
  attribute(2, 0x9002, Buffer.alloc(14)),
  attribute(2, 0x9005, properties(property(0x0d, 0x3701, Buffer.concat([Buffer.alloc(16), inner])))),
);

it('a mail as Exchange sends it to other programs has its head, its text and its attachments', async () => {
  expect(await read(letter, 'tnef')).toMatchObject({
    kind: 'Outlook message',
    text:
      'From: Ani <ani@example.com>\nTo: Budi\nSubject: План\nAttachments: price.csv, attachment\n\nHalo dunia\n\n' +
      '[embedded text file "price.csv"]\nPen,42\n\n[embedded Outlook message]\nSubject: Inner\n\ninner text',
  });
});

it('it is read inside of a mail', async () => {
  const mail =
    'From: ani@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee below\r\n' +
    '--b\r\nContent-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n' +
    `${inner.toString('base64')}\r\n--b--\r\n`;
  const { text } = (await read(Buffer.from(mail), 'mail')) as { text: string };
  expect(text).toContain('[embedded Outlook message "winmail.dat"]\nSubject: Inner\n\ninner text');
});

it('each cut of it is read up to there, or reported', async () => {
  for (let length = 4; length < letter.length; length += 7) {
    const result = await read(letter.subarray(0, length), 'tnef');
    expect('problem' in result ? ['broken', 'empty'] : ['text']).toContain(
      'problem' in result ? result.problem : 'text',
    );
  }
});

it('lengths beyond the file are bounds of nothing', async () => {
  const huge = tnef(attribute(1, 0x9003, Buffer.concat([u32(1), u16(0x101e), u16(0x1000), u32(0xffffffff)])));
  expect(await read(huge, 'tnef')).toEqual({ problem: 'empty', kind: 'Outlook message' });
});
