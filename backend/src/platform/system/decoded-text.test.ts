import { decodedText } from './decoded-text.js';

const LONG = 600_000;

it.each([
  ['Thai', Buffer.from('กขค'.repeat(LONG / 9))],
  ['characters of four bytes', Buffer.from(`a${'💥'.repeat(LONG / 4)}`)],
  ['letters alone', Buffer.alloc(LONG, 'abc')],
  ['few bytes', Buffer.from('é')],
  ['bytes that are no UTF-8', Buffer.alloc(LONG, Buffer.from([0x61, 0xff, 0xe0, 0xb8, 0xc3]))],
  ['a character that the end has cut', Buffer.from('ก'.repeat(LONG / 3)).subarray(0, -1)],
  ['a byte order mark', Buffer.from(`\ufeff${'ก'.repeat(LONG / 3)}`)],
])('decodes %s as in one piece', async (_kind, bytes) => {
  expect((await decodedText(bytes)) === bytes.toString('utf8')).toBe(true);
});

it('lets others run meanwhile', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await decodedText(Buffer.from('ก'.repeat(10_000_000)));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(1);
});
