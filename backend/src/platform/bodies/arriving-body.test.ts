import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { ArrivingBody } from './arriving-body.js';

it('lets the rest of a body flow after the reader has stopped, so that a refusal is answered at once', async () => {
  const request = Object.assign(new PassThrough(), { headers: {} });
  request.write('first');
  for await (const piece of new ArrivingBody(request as unknown as IncomingMessage).pieces()) {
    expect(String(piece)).toBe('first');
    break;
  }
  request.resume();
  request.end('rest');
  await once(request, 'end');
});
