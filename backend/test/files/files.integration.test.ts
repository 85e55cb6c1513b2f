import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  LIMITS,
  type OutgoingMessage,
  parseContent,
  type SendMessageResponse,
  type StoredFile,
  TEXTS,
} from '@tanya/contract';
import { fileTypeFromBuffer } from 'file-type';
import { PromptSource } from '../../src/chat/generation/run/prompt-source.js';
import { FilesService } from '../../src/files/files.service.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { download, PNG, pngOf, upload } from '../harness/uploads.js';

let server: TestApp;
let guest: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
});

beforeEach(async () => {
  guest = await server.guest();
});

afterAll(() => server.close());

const folder = () => join(server.env.dataDir, 'files');

/** Names of all files in the store, staged ones included. */
const onDisk = async (): Promise<string[]> =>
  (await readdir(folder(), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

const rowCount = async (): Promise<number> =>
  (await server.dataSource.query<[{ count: number }]>('select count(*) from file'))[0].count;

/** A raw multipart body. */
const form = (...parts: string[]) => ({
  raw: parts.map((part) => `--b\r\n${part}\r\n`).join('') + '--b--\r\n',
  headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
});

const filePart = (content: string, name = 'a.txt', field = 'file') =>
  `Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${content}`;

/** Uploads from another process; see `upload-sender.mjs`. */
async function uploadFromProcess(path: string, megabytes: number): Promise<unknown[]> {
  const sender = join(import.meta.dirname, '../harness/upload-sender.mjs');
  const args = [sender, server.url + path, guest.cookieHeader, guest.address, String(megabytes)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  return JSON.parse(stdout) as unknown[];
}

describe('an upload', () => {
  it('is downloaded by its owner', async () => {
    const { status, body } = await upload(guest, PNG, 'Foto.PNG', 'image/png');
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      url: `/api/files/${body.id}`,
      name: 'Foto.PNG',
      type: 'image/png',
      size: expect.any(Number),
    });
    const { bytes, headers } = await download(guest, body.url);
    expect(bytes).toHaveLength(body.size);
    expect(await fileTypeFromBuffer(bytes)).toMatchObject({ mime: 'image/png' });
    expect(headers.get('content-type')).toBe('image/png');
    expect(headers.get('content-disposition')).toMatch(/^inline; /);
  });

  it('of another owner is answered with 404 to members, guests and admins (AZ-1, AZ-4)', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt', 'text/plain');
    for (const other of [await server.guest(), (await server.member()).client, await server.admin()]) {
      expect(errorOf(await other.get(body.url)).code).toBe('not_found');
    }
  });

  it.each(['0', '1e3', '999999999999999999', '..%2f..%2fsecret', '%00', 'ffffffff-ffff-4fff-8fff-ffffffffffff'])(
    'is not found by the invalid id %s (AZ-7)',
    async (id) => {
      expect(errorOf(await guest.get(`/api/files/${id}`)).statusCode).toBeLessThan(405);
    },
  );

  it('other than a raster image is sent as an inert download (UP-4)', async () => {
    const page = '<script>alert(1)</script>';
    const { body } = await upload(guest, page, 'page.html', 'text/html');
    expect(body.type).toBe('application/octet-stream');
    const { headers, bytes } = await download(guest, body.url);
    expect(bytes.toString()).toBe(page);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(/^attachment; /);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it.each([
    '"><img src=x onerror=1>.txt',
    'a\r\nX-Evil: 1.txt',
    '🎉 قائمة.txt',
    `${'x'.repeat(300)}.txt`,
    '../../x.txt',
    '..\\x.txt',
    '%2e%2e/x.txt',
  ])('named %j neither splits a header nor escapes the folder (UP-5, UP-7)', async (name) => {
    const { status, body } = await upload(guest, 'halo', name, 'text/plain');
    expect(status).toBe(201);
    expect(body.name).toMatch(/^[^\r\n/\\]{1,255}$/);
    const { headers } = await download(guest, body.url);
    expect(headers.get('x-evil')).toBeNull();
    const [, encoded = ''] = headers.get('content-disposition')!.split("filename*=UTF-8''");
    expect(decodeURIComponent(encoded)).toBe(body.name);
    expect(await onDisk()).toContain(body.id);
  });

  it('is refused and deleted when content, name and type disagree (UP-2, UP-3)', async () => {
    const before = [await rowCount(), (await onDisk()).length];
    const cases: [string | Buffer, string, string][] = [
      ['<html><script>1</script>', 'a.png', 'image/png'],
      [PNG, 'a.jpg', 'image/jpeg'],
      ['<svg onload="alert(1)"/>', 'a.svg', 'image/svg+xml'],
      ['GIF89a/*<script>*/=1;alert(1)', 'a.gif', 'image/gif'],
      ['%PDF-1.7\n<html><script>alert(1)</script>', 'a.pdf', 'application/pdf'],
      [Buffer.from('PK\x03\x04 no pdf', 'latin1'), 'a.pdf', 'application/pdf'],
      [Buffer.from('MZ\x90\0\x03\0', 'latin1'), 'a.txt', 'text/plain'],
    ];
    for (const [content, name, type] of cases) {
      expect(errorOf(await upload(guest, content, name, type)).code).toBe('unsupported_type');
    }
    expect([await rowCount(), (await onDisk()).length]).toEqual(before);
  });

  it.each(['blob', 'photo', 'x'.repeat(300)])('of an image named %j gets the missing extension', async (name) => {
    const { status, body } = await upload(guest, PNG, name, 'image/png');
    expect(status).toBe(201);
    expect(body).toMatchObject({ type: 'image/png', name: expect.stringMatching(/^.{1,251}\.png$/) });
    for (const type of ['image/jpeg', '', 'text/plain']) {
      expect(errorOf(await upload(guest, PNG, name, type)).code).toBe('unsupported_type');
    }
    expect(errorOf(await upload(guest, '<html><script>alert(1)</script></html>', name, 'image/png')).code).toBe(
      'unsupported_type',
    );
  });

  it('is limited to 10 MB, and an image to 5 MB (UP-1)', async () => {
    const document = Buffer.alloc(LIMITS.documentBytes, 'x');
    expect((await upload(guest, document, 'a.txt', 'text/plain')).body.size).toBe(LIMITS.documentBytes);
    const tooLarge = errorOf(await upload(guest, Buffer.concat([document, Buffer.from('x')]), 'a.txt', 'text/plain'));
    expect(tooLarge).toMatchObject({ statusCode: 413, code: 'too_large', message: TEXTS.files.documentTooLarge });
    expect((await upload(guest, pngOf(LIMITS.imageBytes), 'a.png', 'image/png')).status).toBe(201);
    for (const type of ['image/png', 'application/octet-stream']) {
      const image = errorOf(await upload(guest, pngOf(LIMITS.imageBytes + 1), 'a.png', type));
      expect(image).toMatchObject({ code: 'too_large', message: TEXTS.files.imageTooLarge });
    }
  });

  it.each([11, 16, 60])('of %i MB is refused as too large with any framing (UP-1)', async (megabytes) => {
    const expected = { code: 'too_large', message: TEXTS.files.documentTooLarge };
    for (const answer of await uploadFromProcess('/api/files', megabytes)) {
      expect(answer).toMatchObject({ status: 413, body: expected });
    }
  });

  it.each(['/api/chat/message', '/api/v1/chat'])('sent to %s is refused for its content type', async (path) => {
    for (const answer of await uploadFromProcess(path, 16)) {
      expect(answer).toMatchObject({ status: 415 });
    }
  });

  it('without end is refused before it ends (UP-1)', async () => {
    const before = (await onDisk()).length;
    const status = await new Promise<number>((resolve, reject) => {
      const sending = request(`${server.url}/api/files`, {
        method: 'POST',
        headers: {
          Cookie: guest.cookieHeader,
          'Content-Type': 'multipart/form-data; boundary=b',
          'Transfer-Encoding': 'chunked',
        },
      });
      const chunk = Buffer.alloc(256 * 1024, 'x');
      const more = () => {
        while (!sending.destroyed && sending.write(chunk));
      };
      sending.on('drain', more).on('error', reject);
      sending.once('response', (response) => {
        resolve(response.statusCode ?? 0);
        sending
          .off('error', reject)
          .on('error', () => undefined)
          .destroy();
      });
      sending.write(`--b\r\n${filePart('')}`);
      more();
    });
    expect(status).toBe(413);
    expect((await onDisk()).length).toBe(before);
  });

  it.each([
    ['no file', form('Content-Disposition: form-data; name="text"\r\n\r\nhalo')],
    ['two files', form(filePart('a'), filePart('b'))],
    ['another field', form(filePart('a', 'a.txt', 'files[0]'))],
    ['an empty field name', form(filePart('a', 'a.txt', ''))],
    ['1,000 parts', form(...Array.from({ length: 1000 }, () => filePart('a')))],
    [
      '10,000 fields',
      form(...Array.from({ length: 10_000 }, (_, at) => `Content-Disposition: form-data; name="a[${at}][b]"\r\n\r\n1`)),
    ],
    ['no boundary', { raw: 'x', headers: { 'Content-Type': 'multipart/form-data' } }],
    [
      'no final boundary',
      { raw: `--b\r\n${filePart('a')}`, headers: { 'Content-Type': 'multipart/form-data; boundary=b' } },
    ],
    ['endless part headers', form(`${'X-A: b\r\n'.repeat(5000)}\r\nx`)],
    ['an empty file', form(filePart(''))],
  ])('with %s is refused (UP-1)', async (_, options) => {
    const before = await onDisk();
    const error = errorOf(await guest.send('POST', '/api/files', options));
    expect([400, 415]).toContain(error.statusCode);
    expect(await onDisk()).toEqual(before);
  });

  it('is refused unless it is a multipart form', async () => {
    expect(errorOf(await guest.post('/api/files', { file: 'x' })).code).toBe('unsupported_type');
  });

  it('that is aborted leaves no file, in 200 repetitions (UP-1)', async () => {
    const before = [await rowCount(), (await onDisk()).length];
    const { port } = new URL(server.url);
    for (let round = 0; round < 10; round++) {
      const { cookieHeader, address } = await server.guest();
      const head = [
        'POST /api/files HTTP/1.1',
        'Host: 127.0.0.1',
        `Cookie: ${cookieHeader}`,
        `X-Forwarded-For: ${address}`,
        'Content-Type: multipart/form-data; boundary=b',
        'Content-Length: 1000000',
      ].join('\r\n');
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
          socket.write(`${head}\r\n\r\n--b\r\n${filePart('x'.repeat(100_000))}`);
          await sleep(Math.random() * 30);
          socket.destroy();
        }),
      );
    }
    // The server may still be handling some of them: the folder counts as clean after 20 clean reads in a row.
    for (let tries = 0, quiet = 0; tries < 600 && quiet < 20; tries++) {
      await sleep(50);
      quiet = (await onDisk()).length > before[1]! ? 0 : quiet + 1;
    }
    expect([await rowCount(), (await onDisk()).length]).toEqual(before);
  }, 90_000);

  it('is limited to 60 per hour (UP-10)', async () => {
    for (let count = 0; count < 60; count++) {
      expect((await guest.send('POST', '/api/files', form())).status).toBe(400);
    }
    const refused = await guest.send('POST', '/api/files', form(filePart('a')));
    expect(errorOf(refused).code).toBe('rate_limited');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('must fit into the storage quota of its owner (UP-10)', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    await server.dataSource.query('update file set size = $2 where id = $1', [body.id, 50 * 1024 * 1024]);
    expect(errorOf(await upload(guest, 'halo', 'b.txt')).code).toBe('too_large');
  });
});

describe('a stored file', () => {
  const files = () => server.app.get(FilesService);
  const ownerOf = async (id: string) =>
    (await server.dataSource.query<[{ owner: `guest:${string}` }]>('select owner from file where id = $1', [id]))[0]
      .owner;

  const attach = (owner: `guest:${string}`, attached: Partial<OutgoingMessage>, threadId: number) =>
    server.dataSource.transaction((manager) => files().attach(manager, owner, attached, threadId));

  it('is deleted with its thread, contents included (UP-10)', async () => {
    const { body: kept } = await upload(guest, 'kept', 'a.txt');
    const { body: gone } = await upload(guest, PNG, 'b.png', 'image/png');
    await attach(await ownerOf(gone.id), { imageData: gone.url, fileUrl: gone.url }, 4711);
    await files().deleteOfThread(4711);
    expect((await guest.get(gone.url)).status).toBe(404);
    expect(await onDisk()).not.toContain(gone.id);
    expect((await guest.get(kept.url)).status).toBe(200);
  });

  it('is deleted with the last of the threads that use it', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    const owner = await ownerOf(body.id);
    await attach(owner, { fileUrl: body.url }, 1);
    await attach(owner, { fileUrl: body.url }, 2);
    await attach(owner, { fileUrl: body.url }, 2);
    const [row] = await server.dataSource.query('select thread_id, also_in from file where id = $1', [body.id]);
    expect(row).toEqual({ thread_id: 1, also_in: [2] });
    await files().deleteOfThread(1);
    expect((await guest.get(body.url)).status).toBe(200);
    await files().deleteOfThread(2);
    expect((await guest.get(body.url)).status).toBe(404);
    expect(await onDisk()).not.toContain(body.id);
  });

  it('cannot be attached by another owner (AZ-4)', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    await expect(attach('guest:somebody-else', { fileUrl: body.url }, 3)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('moves with a guest to the account, and is deleted with the account', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    const { client, username } = await server.member();
    expect((await client.get(body.url)).status).toBe(404);
    const login = await guest.post('/api/login', { username, password: 'a quiet harbour at dawn' });
    expect(login.status).toBe(200);
    expect((await client.get(body.url)).status).toBe(200);
    expect((await client.delete('/api/user', { password: 'a quiet harbour at dawn' })).status).toBeLessThan(300);
    expect(await onDisk()).not.toContain(body.id);
  });

  it('is read for models as a data URL or as text', async () => {
    const { body: image } = await upload(guest, PNG, 'a.png', 'image/png');
    const { body: text } = await upload(guest, 'baris satu', 'a.md', 'text/markdown');
    const { body: code } = await upload(guest, '{"a": 1}', 'a.json', 'application/json');
    const { body: program } = await upload(guest, Buffer.from('MZ\x90\0', 'latin1'), 'a.exe');
    const owner = await ownerOf(image.id);
    const model = (file: StoredFile) => files().forModel(owner, file.url);
    const { bytes } = await download(guest, image.url);
    expect(await model(image)).toEqual({ kind: 'image', dataUrl: `data:image/png;base64,${bytes.toString('base64')}` });
    expect(await model(text)).toEqual({ kind: 'document', name: 'a.md', text: 'baris satu' });
    expect(await model(code)).toEqual({ kind: 'document', name: 'a.json', text: '{"a": 1}' });
    expect(program.notice).toEqual(expect.any(String));
    expect(await model(program)).toEqual({ kind: 'document', name: 'a.exe', text: `(${program.notice})` });
    expect(await files().forModel('guest:somebody-else', image.url)).toBeNull();
    expect(await files().forModel(owner, 'http://127.0.0.1/x.png')).toBeNull();
  });

  describe('of a long conversation', () => {
    /** Builds the prompt of the last of six messages with one image each. */
    const promptOf = async (contextLength: number) => {
      const images: StoredFile[] = [];
      for (let count = 0; count < 6; count++) {
        images.push((await upload(guest, pngOf(LIMITS.imageBytes), 'a.png', 'image/png')).body);
      }
      const owner = await ownerOf(images[0]!.id);
      const run = (sql: string, parameters: unknown[]) => server.dataSource.query<[{ id: number }]>(sql, parameters);
      const [thread] = await run(`insert into thread (owner, title) values ($1, 'x') returning id`, [owner]);
      let last = { id: 0, parentId: null as number | null, content: '', isUserMessage: true };
      for (const { url } of images) {
        const content = JSON.stringify({ text: 'lihat', imageData: url });
        const [message] = await run(
          'insert into message (thread_id, parent_id, content, is_user_message) values ($1, $2, $3, true) returning id',
          [thread.id, last.id || null, content],
        );
        last = { ...last, id: message.id, parentId: last.id || null, content };
      }
      const prompt = await server.app.get(PromptSource).load(owner, last, contextLength, false);
      const pictures = prompt.messages
        .filter(({ role }) => role === 'user')
        .map(({ content }) =>
          typeof content === 'string' ? 0 : content.filter(({ type }) => type === 'image').length,
        );
      return { pictures, notice: prompt.notice };
    };

    it('is read newest first up to the memory limit, with a notice', async () => {
      expect(await promptOf(1_000_000)).toEqual({
        pictures: [0, 1, 1, 1, 1, 1],
        notice: 'Earlier attachments were left out.',
      });
    });

    it('is not read when its message exceeds the context', async () => {
      expect(await promptOf(4_000)).toEqual({
        pictures: [1, 1],
        notice: '4 earlier messages were left out to fit the model.',
      });
    });
  });

  it('of a data URL is reused by retries of a send, and not by another send', async () => {
    const { body } = await upload(guest, PNG, 'a.png', 'image/png');
    const owner = await ownerOf(body.id);
    const identity = {
      owner,
      userId: null,
      isPremium: false,
      isAdmin: false,
      mustEnrollTotp: false,
      address: guest.address,
    };
    const content = {
      text: 'lihat',
      imageData: `data:image/png;base64,${PNG.toString('base64')}`,
      fileUrl: `data:text/plain;base64,${Buffer.from('isi').toString('base64')}`,
      fileName: 'isi.txt',
    };
    const storedBy = (seed: string) => files().withStoredDataUrls(identity, content, seed, async (stored) => stored);
    const first = await storedBy('send-1');
    expect(first).toMatchObject({
      text: 'lihat',
      imageData: expect.stringMatching(/^\/api\/files\//),
      fileName: 'isi.txt',
      fileType: 'text/plain',
    });
    expect(await storedBy('send-1')).toEqual(first);
    expect((await storedBy('send-2')).imageData).not.toBe(first.imageData);
    const id = first.imageData.slice('/api/files/'.length);
    expect(await fileTypeFromBuffer(await readFile(join(folder(), id.slice(0, 2), id)))).toMatchObject({
      mime: 'image/png',
    });
  });

  it.each([
    [undefined, 'Attachment', 'Attachment.txt'],
    ['', 'Attachment', 'Attachment.txt'],
    ['catatan', 'catatan', 'catatan.txt'],
    ['C:\\isi.txt', 'isi.txt', 'isi.txt'],
  ])('of a data URL with the name %j is shown as %s and downloaded as %s', async (fileName, shown, saved) => {
    const { client } = await server.member();
    const fileUrl = `data:text/plain;base64,${Buffer.from('isi').toString('base64')}`;
    const { body } = await client.post<SendMessageResponse>('/api/chat/message', {
      content: JSON.stringify({ text: 'baca', fileUrl, fileName }),
    });
    const sent = parseContent(body.userMessage.content);
    expect(sent).toMatchObject({ fileName: shown, fileType: 'text/plain', fileSize: 3 });
    const { headers } = await client.get(sent.fileUrl!);
    expect(headers.get('content-disposition')).toContain(`filename="${saved}"`);
  });

  it('of a data URL is deleted when its message is refused', async () => {
    const before = [await rowCount(), (await onDisk()).length];
    const { client } = await server.member();
    const image = `data:image/png;base64,${PNG.toString('base64')}`;
    const send = (content: object, fields: object = {}) =>
      client.post('/api/chat/message', { content: JSON.stringify({ text: 'lihat', ...content }), ...fields });
    const statuses = [
      await send({ imageData: image }, { model: 'no/such' }),
      await send({ imageData: image }, { threadId: 999_999 }),
      await send({ imageData: image, text: 'x'.repeat(LIMITS.messageText + 1) }),
      await send({ imageData: image, audioData: 'data:nonsense' }),
      await send({ imageData: 'data:image/png;base64,AAAA' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 404, 400, 400, 415]);
    expect([await rowCount(), (await onDisk()).length]).toEqual(before);
  });
});
