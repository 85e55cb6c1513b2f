import { isSafeImage } from './image-structure.js';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const webp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64');

/** Start, a frame of this size, and some data behind it. */
const jpeg = (width: number, height: number) => {
  const frame = Buffer.from('ffd8ffe000040000ffc0000b0800000000010111', 'hex');
  frame.writeUInt16BE(height, 13);
  frame.writeUInt16BE(width, 15);
  return Buffer.concat([frame, Buffer.from('ffd9', 'hex')]);
};

const sizedPng = (width: number, height: number) => {
  const copy = Buffer.from(png);
  copy.writeUInt32BE(width, 16);
  copy.writeUInt32BE(height, 20);
  return copy;
};

it.each([
  ['image/png', png],
  ['image/gif', gif],
  ['image/webp', webp],
  ['image/jpeg', jpeg(640, 480)],
])('accepts a small %s', (type, bytes) => {
  expect(isSafeImage(bytes, type)).toBe(true);
});

it('accepts padding behind a picture', () => {
  expect(isSafeImage(Buffer.concat([png, Buffer.alloc(1000)]), 'image/png')).toBe(true);
});

it.each([
  ['a png that would be 10 GB of pixels', sizedPng(50_000, 50_000), 'image/png'],
  ['a png without pixels', sizedPng(0, 1), 'image/png'],
  ['a jpeg that is too large', jpeg(60_000, 60_000), 'image/jpeg'],
  ['a png cut short', png.subarray(0, 40), 'image/png'],
  ['a signature and nothing behind it', png.subarray(0, 8), 'image/png'],
  ['a gif that is a script', Buffer.from('GIF89a/*padding padding*/=1;alert(1);//'), 'image/gif'],
  ['a gif with a page behind it', Buffer.concat([gif, Buffer.from('alert(1)')]), 'image/gif'],
  ['a jpeg with a page behind it', Buffer.concat([jpeg(1, 1), Buffer.from('<script>x</script>')]), 'image/jpeg'],
  ['a png with a page behind it', Buffer.concat([png, Buffer.from('<!DOCTYPE html>')]), 'image/png'],
  ['webp in name only', Buffer.from('RIFF\x10\0\0\0WEBPnone padding padding padding', 'latin1'), 'image/webp'],
])('refuses %s (UP-2, UP-8)', (_, bytes, type) => {
  expect(isSafeImage(bytes, type)).toBe(false);
});

it('reads any garbage without harm', () => {
  for (let length = 0; length < 400; length += 7) {
    for (const start of [png, gif, webp, jpeg(9, 9)]) {
      const bytes = Buffer.concat([start.subarray(0, 12), Buffer.alloc(length, length)]);
      for (const type of ['image/png', 'image/gif', 'image/jpeg', 'image/webp']) isSafeImage(bytes, type);
    }
  }
});
