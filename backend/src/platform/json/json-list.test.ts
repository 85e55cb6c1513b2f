import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Response } from 'express';
import { sendJsonList } from './json-list.js';

it.each([0, 1, 5_000])('writes %d entries as one list', async (count) => {
  const entries = Array.from({ length: count }, (_, id) => ({ id, name: `entry "${id}"` }));
  const response: PassThrough = Object.assign(new PassThrough(), { type: () => response });
  const written = text(response);
  await sendJsonList(response as unknown as Response, entries);
  expect(await written).toBe(JSON.stringify(entries));
});
