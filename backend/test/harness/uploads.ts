import type { ErrorBody, StoredFile } from '@tanya/contract';
import type { Answer, HttpClient } from './http-client.js';
import { PNG_BASE64 } from './scripted-answers.js';

export const PNG = Buffer.from(PNG_BASE64, 'base64');

/** A picture of this many bytes: padding behind its end harms nobody. */
export const pngOf = (size: number): Buffer => Buffer.concat([PNG, Buffer.alloc(size - PNG.length)]);

export function upload(
  client: HttpClient,
  content: string | Buffer,
  name: string,
  type = 'application/octet-stream',
): Promise<Answer<StoredFile & ErrorBody>> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(Buffer.from(content))], { type }), name);
  return client.send('POST', '/api/files', { raw: form });
}

/** The bytes of a file as its owner downloads them. */
export async function download(
  client: HttpClient,
  path: string,
  extra: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const headers = { Cookie: client.cookieHeader, 'X-Forwarded-For': client.address, ...extra };
  const response = await fetch(client.url + path, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}
