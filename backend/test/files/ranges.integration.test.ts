import { errorOf, type HttpClient } from '../harness/http-client.js';
import { type S3Server, startS3 } from '../harness/servers/s3-server.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { download, PNG, upload } from '../harness/uploads.js';

const TEXT = '0123456789';

let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3();
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
});

afterAll(() => s3.close());

describe.each(['disk', 's3-compatible storage'])('a range request to a file on %s', (storage) => {
  let server: TestApp;
  let guest: HttpClient;
  let path: string;

  beforeAll(async () => {
    server = await startTestApp({
      env: { filesUrl: storage === 'disk' ? null : `s3://bucket/files?endpoint=${s3.url}` },
    });
    guest = await server.guest();
    path = (await upload(guest, TEXT, 'a.txt', 'text/plain')).body.url;
  });

  afterAll(() => server.close());

  const read = async (headers: Record<string, string>) => {
    const { status, bytes, headers: answered } = await download(guest, path, headers);
    return [status, answered.get('content-range'), answered.get('content-length'), bytes.toString()];
  };

  it.each([
    ['bytes=0-', 'bytes 0-9/10', TEXT],
    ['bytes=0-1', 'bytes 0-1/10', '01'],
    ['bytes=4-6', 'bytes 4-6/10', '456'],
    ['bytes=7-9999', 'bytes 7-9/10', '789'],
    ['bytes=-3', 'bytes 7-9/10', '789'],
  ])('with %s is answered with that range', async (range, answered, part) => {
    expect(await read({ Range: range })).toEqual([206, answered, String(part.length), part]);
  });

  it.each(['bytes=0-1,4-5', 'bytes=-500', 'lines=1-2', 'bytes', 'bytes=a-b', 'bytes=5', 'bytes=1.5-2'])(
    'with %s is answered with the whole file',
    async (range) => {
      expect(await read({ Range: range })).toEqual([200, null, '10', TEXT]);
    },
  );

  it.each(['bytes=10-', 'bytes=99999999999999999999-', 'bytes=6-4', 'bytes=-0'])(
    'with %s beyond the end is answered with 416',
    async (range) => {
      const answer = await guest.get(path, { headers: { Range: range } });
      expect(errorOf(answer)).toMatchObject({ statusCode: 416, code: 'range_unsatisfiable' });
      expect(answer.headers.get('content-range')).toBe('bytes */10');
    },
  );

  it('resumes with a matching If-Range, and restarts with another', async () => {
    const { headers } = await download(guest, path);
    expect(headers.get('accept-ranges')).toBe('bytes');
    const etag = headers.get('etag') ?? '';
    expect(await read({ Range: 'bytes=8-', 'If-Range': etag })).toEqual([206, 'bytes 8-9/10', '2', '89']);
    expect(await read({ Range: 'bytes=8-', 'If-Range': '"another"' })).toEqual([200, null, '10', TEXT]);
  });

  it('of another owner is answered with 404, without the size of the file (AZ-1)', async () => {
    for (const other of [await server.guest(), (await server.member()).client, await server.admin()]) {
      for (const range of ['bytes=0-1', 'bytes=99-']) {
        const answer = await other.get(path, { headers: { Range: range } });
        expect(errorOf(answer).code).toBe('not_found');
        expect(answer.headers.get('content-range')).toBeNull();
      }
    }
  });

  it('gets the same protective headers as the whole file (UP-4)', async () => {
    const image = (await upload(guest, PNG, 'a.png', 'image/png')).body.url;
    for (const one of [path, image]) {
      const whole = (await download(guest, one)).headers;
      const part = (await download(guest, one, { Range: 'bytes=0-0' })).headers;
      for (const name of [
        'content-type',
        'content-disposition',
        'content-security-policy',
        'cross-origin-resource-policy',
        'x-content-type-options',
        'cache-control',
      ]) {
        expect([name, part.get(name)]).toEqual([name, whole.get(name)]);
      }
    }
  });
});
