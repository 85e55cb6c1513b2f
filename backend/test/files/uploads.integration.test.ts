import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMITS, TEXTS } from '@tanya/contract';
import { fileTypeFromBuffer } from 'file-type';
import { FileQuota } from '../../src/files/file-quota.js';
import { Random, SEED } from '../faults/random.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { download, fileRowCount, filesOnDisk, PNG, pngOf, upload } from '../harness/uploads.js';
import { eventually, waitUntil } from '../harness/wait-until.js';

let server: TestApp;
let guest: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
});

beforeEach(async () => {
  guest = await server.guest();
});

/** Each content on disk has its row. The content of a refused upload may be removed after its answer. */
afterEach(() => eventually(async () => expect(await filesOnDisk(server)).toHaveLength(await fileRowCount(server))));

afterAll(() => server.close());

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
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 55_000 });
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
    expect(await filesOnDisk(server)).toContain(body.id);
  });

  it('is refused and deleted when content, name and type disagree (UP-2, UP-3)', async () => {
    const before = await fileRowCount(server);
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
    expect(await fileRowCount(server)).toBe(before);
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
    const bound = { max: 10, limit: LIMITS.documentBytes, unit: 'bytes' };
    expect(tooLarge.details).toEqual({ params: { reason: 'document', ...bound } });
    expect((await upload(guest, await pngOf(LIMITS.imageBytes), 'a.png', 'image/png')).status).toBe(201);
    for (const type of ['image/png', 'application/octet-stream']) {
      const image = errorOf(await upload(guest, await pngOf(LIMITS.imageBytes + 1), 'a.png', type));
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
    const before = await fileRowCount(server);
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
    expect(await fileRowCount(server)).toBe(before);
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
    const before = await fileRowCount(server);
    const error = errorOf(await guest.send('POST', '/api/files', options));
    expect([400, 415]).toContain(error.statusCode);
    expect(await fileRowCount(server)).toBe(before);
  });

  it('may have its address in any case and with a slash at the end', async () => {
    for (const path of ['/api/files/', '/api/Files'])
      expect((await guest.send('POST', path, form(filePart('a')))).status).toBe(201);
  });

  it('is refused unless it is a multipart form', async () => {
    expect(errorOf(await guest.post('/api/files', { file: 'x' })).code).toBe('unsupported_type');
  });

  it(`that is aborted leaves no file, in 200 repetitions with seed ${SEED} (UP-1)`, async () => {
    const random = new Random(SEED);
    const before = [await fileRowCount(server), (await filesOnDisk(server)).length];
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
          await sleep(random.next() * 30);
          socket.destroy();
        }),
      );
    }
    // The server may still be handling some of them: the folder counts as clean after 20 clean reads in a row.
    for (let tries = 0, quiet = 0; tries < 600 && quiet < 20; tries++) {
      await sleep(50);
      quiet = (await filesOnDisk(server)).length > before[1]! ? 0 : quiet + 1;
    }
    expect([await fileRowCount(server), (await filesOnDisk(server)).length]).toEqual(before);
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

  it('must fit into the storage quota together with concurrent ones, or leaves no contents (UP-10)', async () => {
    const { body } = await upload(guest, 'halo', 'a.txt');
    const room = 2 * 'halo'.length;
    await server.dataSource.query('update file set size = $2 where id = $1', [body.id, 50 * 1024 * 1024 - room]);
    const before = await fileRowCount(server);
    const quota = server.app.get(FileQuota);
    const ensureRoom = quota.ensureRoom.bind(quota);
    // All pass the early check before the first is stored.
    const checked = jest.spyOn(quota, 'ensureRoom').mockImplementation(async (...file) => {
      await ensureRoom(...file);
      await waitUntil('all checks', () => checked.mock.calls.length === 6);
    });
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => upload(guest, 'halo', `${at}.txt`)));
    checked.mockRestore();
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(errorOf(answer)).toMatchObject({ code: 'too_large', details: { params: { reason: 'storage' } } });
    }
    expect(await fileRowCount(server)).toBe(before + 2);
  });
});
