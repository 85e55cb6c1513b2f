import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Response } from 'express';
import { sendJsonList } from './json-list.js';

function openResponse() {
  const response: PassThrough = Object.assign(new PassThrough(), { type: () => response });
  return response;
}

it.each([0, 1, 5_000])('writes %d entries as one list', async (count) => {
  const entries = Array.from({ length: count }, (_, id) => ({ id, name: `entry "${id}"` }));
  const response = openResponse();
  const written = text(response);
  await sendJsonList(response as unknown as Response, entries);
  expect(await written).toBe(JSON.stringify(entries));
});

it.each([true, false])('ends quietly when its reader has gone, before the list: %s', async (isBefore) => {
  const response = openResponse();
  const entries = (function* () {
    for (let id = 0; ; id += 1) yield { id };
  })();
  if (isBefore) response.destroy();
  else response.once('data', () => response.destroy());
  await sendJsonList(response as unknown as Response, entries);
  expect(response.destroyed).toBe(true);
});

it('reports an entry that cannot be written', async () => {
  const sent = sendJsonList(openResponse() as unknown as Response, [{ id: 1n }]);
  await expect(sent).rejects.toThrow('BigInt');
});
