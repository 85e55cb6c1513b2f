import { inflateSync } from 'node:zlib';
import { fileTypeFromBuffer } from 'file-type';
import { drawDemoPicture } from './demo-picture.js';

it('draws a complete PNG of 512 by 512 pixels', async () => {
  const picture = drawDemoPicture('a cat');
  expect(await fileTypeFromBuffer(picture)).toMatchObject({ mime: 'image/png' });
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([512, 512]);
  const start = picture.indexOf('IDAT') + 4;
  expect(inflateSync(picture.subarray(start, start + picture.readUInt32BE(start - 8)))).toHaveLength(
    512 * (512 * 3 + 1),
  );
});

it('draws equal pictures for equal prompts only', () => {
  expect(drawDemoPicture('a cat').equals(drawDemoPicture('a cat'))).toBe(true);
  expect(drawDemoPicture('a cat').equals(drawDemoPicture('a dog'))).toBe(false);
});
