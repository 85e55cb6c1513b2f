import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorBody, StoredFile } from '@tanya/contract';
import sharp from 'sharp';
import type { Answer, HttpClient } from './http-client.js';
import type { TestApp } from './test-app.js';
import { PNG_BASE64 } from './scripted-answers.js';

export const PNG = Buffer.from(PNG_BASE64, 'base64');

/** A PNG of exactly `size` bytes: noise, which re-encoding cannot compress, and padding behind its end. */
export async function pngOf(size: number): Promise<Buffer> {
  const side = Math.floor(Math.sqrt((size * 0.99 - 1000) / 3));
  const raw = { width: side, height: side, channels: 3 } as const;
  const png = await sharp(randomBytes(side * side * 3), { raw })
    .png()
    .toBuffer();
  return Buffer.concat([png, Buffer.alloc(size - png.length)]);
}

/** One silent sample of 8-bit sound, as a WAV file. */
export const WAV = Buffer.concat([
  Buffer.from('RIFF\x25\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0', 'latin1'),
  Buffer.from([0x40, 0x1f, 0, 0, 0x40, 0x1f, 0, 0, 1, 0, 8, 0]),
  Buffer.from('data\x01\0\0\0\x80', 'latin1'),
]);

/** A valid form of a transcription. */
export function audioForm(fields: Record<string, string> = {}, file: Buffer = WAV, name = 'speech.wav'): FormData {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file)], { type: 'audio/wav' }), name);
  for (const [field, value] of Object.entries({ model: 'whisper-1', ...fields })) form.append(field, value);
  return form;
}

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

/** Downloads a file as its owner. */
export async function download(
  client: HttpClient,
  path: string,
  extra: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const headers = { Cookie: client.cookieHeader, 'X-Forwarded-For': client.address, ...extra };
  const response = await fetch(client.url + path, { headers });
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Names of all files in the store, staged ones included. */
export async function filesOnDisk({ env }: TestApp): Promise<string[]> {
  const entries = await readdir(join(env.dataDir, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

export async function fileRowCount({ dataSource }: TestApp): Promise<number> {
  return (await dataSource.query<[{ count: number }]>('select count(*) from file'))[0].count;
}

/** A form with a picture. */
export function pictureForm(): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(PNG)], { type: 'image/png' }), 'logo.png');
  return form;
}
