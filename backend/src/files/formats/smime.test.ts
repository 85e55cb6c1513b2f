import { read, word, p } from '../../../test/files/made-documents.js';

const SIGNED = '06092a864886f70d010702';
const ENVELOPED = '06092a864886f70d010703';
const DATA = '06092a864886f70d010701';

const hex = (text: string) => Buffer.from(text, 'hex');

/** An element of ASN.1 with its length. */
const element = (tag: number, ...parts: Buffer[]) => {
  const content = Buffer.concat(parts);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x84]), length, content]);
};

/** The same without its length, as streams write it. */
const open = (tag: number, ...parts: Buffer[]) => Buffer.concat([Buffer.from([tag, 0x80]), ...parts, Buffer.alloc(2)]);

const signed = (content: Buffer, wrap = element) =>
  wrap(
    0x30,
    hex(SIGNED),
    wrap(0xa0, wrap(0x30, hex('020101'), hex('3100'), wrap(0x30, hex(DATA), wrap(0xa0, content)), hex('3100'))),
  );

const octets = (content: string | Buffer) => element(0x04, Buffer.from(content));

const mail = (body: Buffer) =>
  Buffer.from(
    'From: ani@example.com\r\nSubject: Plan\r\nContent-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\r\n' +
      `Content-Transfer-Encoding: base64\r\n\r\n${body.toString('base64')}\r\n`,
  );

const INNER = Buffer.from('Content-Type: text/plain; charset=utf-8\r\n\r\nHalo dunia\r\n');

const TEXT = 'From: ani@example.com\nSubject: Plan\n\nHalo dunia';

it.each([
  ['in one piece', signed(octets(INNER))],
  ['as a stream in pieces', signed(open(0x24, octets(INNER.subarray(0, 20)), octets(INNER.subarray(20))), open)],
  ['twice', signed(octets(mail(signed(octets(INNER)))))],
])('the text of a mail that is signed %s is read', async (_, content) => {
  expect(await read(mail(content), 'mail')).toMatchObject({ text: TEXT });
});

it('a mail that is encrypted says so', async () => {
  const content = element(0x30, hex(ENVELOPED), element(0xa0, element(0x30, hex('020100'), hex('3100'))));
  expect(await read(mail(content), 'mail')).toMatchObject({ text: expect.stringContaining('encrypted') as string });
  expect(await read(content, 'smime', 'p7m')).toMatchObject({ problem: 'encrypted' });
});

it('a signed file is read as what it is', async () => {
  const invoice = '<invoice>42</invoice>';
  expect(await read(signed(octets(invoice)), 'smime', 'p7m')).toMatchObject({ kind: 'signed document', text: invoice });
  const armoured = Buffer.from(
    `-----BEGIN PKCS7-----\n${signed(octets(invoice)).toString('base64')}\n-----END PKCS7-----\n`,
  );
  expect(await read(armoured, 'smime', 'p7m')).toMatchObject({ text: invoice });
  expect(await read(signed(octets(word(p('Halo')))), 'smime', 'p7m')).toMatchObject({
    text: '[embedded Word document]\nHalo',
  });
  expect(await read(INNER, 'smime', 'p7m')).toMatchObject({ text: 'Halo dunia' });
});

it.each([
  ['nothing but begins', Buffer.concat(Array.from({ length: 100_000 }, () => hex('3080')))],
  ['no signature', hex('3000')],
  ['noise', Buffer.from('no signature at all')],
])('%s ends as protected', async (_, bytes) => {
  expect(await read(bytes, 'smime', 'p7m')).toMatchObject({ problem: 'encrypted' });
});
