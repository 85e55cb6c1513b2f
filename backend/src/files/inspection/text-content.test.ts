import { cleanText, cleanTextInSlices, decodeText } from './text-content.js';

it.each([
  ['UTF-8', Buffer.from('harga: Rp5.000 — oké 🎉'), 'harga: Rp5.000 — oké 🎉'],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffhalo'), 'halo'],
  ['UTF-16', Buffer.from('\ufeffhalo', 'utf16le'), 'halo'],
  ['UTF-16, big-endian', Buffer.from('\ufeffhalo', 'utf16le').swap16(), 'halo'],
  ['UTF-16 with a zero at its end', Buffer.from('\ufeffkey\0', 'utf16le'), 'key'],
  ['nothing of UTF-16 without a byte order mark', Buffer.from('halo', 'utf16le'), null],
  ['nothing of another encoding', Buffer.from('caf\xe9', 'latin1'), null],
  ['an empty file', Buffer.alloc(0), ''],
])('decodes %s', async (_, bytes, text) => {
  expect(await decodeText(bytes)).toEqual({ text });
});

it.each([
  ['a program', Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1')],
  ['a short program', Buffer.from('MZ\x90\0', 'latin1')],
  ['control characters', Buffer.from('\x01\x02\x03 text')],
  ['control characters after a UTF-16 byte order mark', Buffer.from('\ufeff\0\x01\x02 text', 'utf16le')],
  ['numbers', Buffer.from(Float32Array.from({ length: 500 }, (_, index) => index * 1.5).buffer)],
  ['bytes that no encoding allows', Buffer.from([0x80, 0x81, 0x02, 0xfe])],
])('judges %s as binary', async (_, bytes) => {
  expect(await decodeText(bytes)).toBeNull();
});

it('takes UTF-16 without a byte order mark for text, whatever the low bytes of its letters are', async () => {
  expect(await decodeText(Buffer.from('Xin chào thế giới, đây là văn bản', 'utf16le'))).toEqual({ text: null });
});

it('removes characters that Postgres and models reject', () => {
  expect(cleanText(' a\0b\r\nc\rd\n\n\n\n\n\ne \ud800')).toBe('ab\nc\nd\n\n\ne \ufffd');
});

it('keeps the empty cells before the first one of a table', () => {
  expect(cleanText(' \r\n\tJan\tFeb\nTea\t1\t2\t\n ')).toBe('\tJan\tFeb\nTea\t1\t2');
  expect(cleanText(' \n  a')).toBe('a');
  expect(cleanText(' \t \n ')).toBe('');
});

it.each([
  ['line ends', '\r\n'.repeat(300_000)],
  ['a line end that pieces divide', `${'a'.repeat(128 * 1024 - 1)}\r\n\r\n\n\nb`],
  ['line ends that pieces divide', `a\r${'\n'.repeat(128 * 1024)}\n\r\r\0\nb`],
  ['zeros between line ends', `${'a'.repeat(128 * 1024 - 2)}\n\0\n\0\n\n\n`],
  ['surrogate pairs', '\ud83c\udf89'.repeat(70_000)],
  ['a table whose first cell is empty', '\n\t1\n'],
  ['nothing', ''],
])('cleans %s in slices as at once', async (_, text) => {
  expect(await cleanTextInSlices(text)).toBe(cleanText(text));
});

it('leaves out the colours of a terminal', () => {
  expect(cleanText('\u001b[1;31mError\u001b[0m\n[INFO] \u001b[2Kdone\u001b[?25h')).toBe('Error\n[INFO] done');
});

it.each([
  ['at its start', Buffer.concat([Buffer.alloc(70_000), Buffer.from('one\ntwo\n')]), 'one\ntwo\n'],
  ['at its end', Buffer.concat([Buffer.from('one\n'), Buffer.alloc(4_096)]), 'one\n'],
  ['inside', Buffer.concat([Buffer.from('one\n'), Buffer.alloc(33), Buffer.from('twö\n')]), 'one\ntwö\n'],
])('reads a log that a computer without power left with zeros %s', async (_, bytes, text) => {
  expect(await decodeText(bytes)).toEqual({ text });
});

it.each([16, 33, 100])('reads a log in UTF-16 with %i zeros for letters', async (count) => {
  const log = Buffer.from(`\ufefffirst line\n${'\0'.repeat(count)}second line\n`, 'utf16le');
  expect(await decodeText(log)).toEqual({ text: 'first line\nsecond line\n' });
  expect(await decodeText(Buffer.from(log).swap16())).toEqual({ text: 'first line\nsecond line\n' });
  expect(await decodeText(log.subarray(2))).toEqual({ text: null });
});

it('judges content with many gaps as binary', async () => {
  expect(await decodeText(Buffer.alloc(100_000, `a${'\0'.repeat(20)}`))).toBeNull();
});
