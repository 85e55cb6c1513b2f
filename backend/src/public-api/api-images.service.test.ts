import { randomBytes } from 'node:crypto';
import { imagesJson } from './api-images.service.js';

it('writes a large picture in small pieces', () => {
  const bytes = randomBytes(3_000_001);
  const pieces = [...imagesJson({ created: 7, bytes })];
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
  expect(JSON.parse(pieces.join(''))).toEqual({ created: 7, data: [{ b64_json: bytes.toString('base64') }] });
});
