import { randomUUID } from 'node:crypto';
import type { ProviderFile } from '../provider.js';

/** Escapes a name as browsers do. */
const escaped = (name: string): string =>
  name.replace(/[\r\n"]/g, (character) => (character === '"' ? '%22' : character === '\r' ? '%0D' : '%0A'));

/**
 * A multipart form whose file is streamed: `FormData` of Node and of undici hold it in memory or send no Content-Length, which
 * some servers require.
 */
export function multipartBody(
  fields: readonly (readonly [name: string, value: string])[],
  file: ProviderFile,
): { headers: Record<string, string>; body: AsyncIterable<Uint8Array> } {
  const boundary = `tanya-${randomUUID()}`;
  const opening = (disposition: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const values = fields.map(([name, value]) => `${opening(`name="${escaped(name)}"`)}\r\n${value}\r\n`);
  const opened = `${opening(`name="file"; filename="${escaped(file.name)}"`)}Content-Type: ${file.type}\r\n\r\n`;
  const head = Buffer.from(values.join('') + opened);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  async function* body(): AsyncGenerator<Uint8Array> {
    yield head;
    yield* file.open();
    yield tail;
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + file.size + tail.length),
    },
    body: body(),
  };
}
