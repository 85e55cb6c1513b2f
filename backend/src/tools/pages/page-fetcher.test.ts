import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { PageFetcher } from './page-fetcher.js';

const HOST = 'pages.example';
const PRIVATE = 'This address is not public, so it cannot be read.';
const TOO_LARGE = 'The page has more than 2 MB, so it cannot be read.';

const pages = new Map<string, RequestListener>();
const fetcher = new PageFetcher();
let requests: string[] = [];

const server = createServer((request, response) => {
  requests.push(request.url!);
  const page = pages.get(request.url!) ?? ((_, missing) => void missing.writeHead(404).end());
  page(request, response);
});

/** Connects one public name to the server of this file; every other host goes through the real guard. */
function connectorTo(port: number): buildConnector.connector {
  const guard = guardedConnector({ timeout: 5_000, trustedOrigin: null });
  const local = buildConnector({ timeout: 5_000 });
  return (target, callback) => {
    if (target.hostname !== HOST) return guard(target, callback);
    local({ ...target, hostname: '127.0.0.1', host: `127.0.0.1:${port}`, port: String(port) }, callback);
  };
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fetcher.connect = connectorTo((server.address() as AddressInfo).port);
});

beforeEach(() => {
  requests = [];
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const send =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);

const redirectTo = (location: string, status = 302): RequestListener => send('', { location }, status);

const fetchPage = (address: string, timeoutMs = 30_000, { signal } = new AbortController()) =>
  fetcher.fetch(address, signal, timeoutMs);

/** Serves a page at a path and fetches it. */
function fetchAt(path: string, page: RequestListener, timeoutMs?: number) {
  pages.set(path, page);
  return fetchPage(`http://${HOST}${path}`, timeoutMs);
}

describe('PageFetcher', () => {
  it('returns the bytes, the type and the address of a page', async () => {
    const { url, contentType, bytes } = await fetchAt('/page', send('<p>Halo</p>'));
    expect([url.href, contentType, bytes.toString()]).toEqual([`http://${HOST}/page`, 'text/html', '<p>Halo</p>']);
  });

  it('decompresses a page', async () => {
    const { bytes } = await fetchAt('/compressed', send(gzipSync('Halo'), { 'content-encoding': 'gzip' }));
    expect(bytes.toString()).toBe('Halo');
  });

  it.each([
    ['an error status', send('secret', {}, 500)],
    ['an image', send('x', { 'content-type': 'image/png' })],
    ['an unknown compression', send('x', { 'content-encoding': 'compress' })],
    ['a compression with the name of a property', send('x', { 'content-encoding': 'constructor' })],
    ['a broken compression', send('not gzip', { 'content-encoding': 'gzip' })],
    ['a connection that breaks off', (request: { socket: { destroy(): void } }) => request.socket.destroy()],
  ])('fails with a sentence for %s', async (name, page) => {
    const failure = fetchAt(`/${encodeURIComponent(name)}`, page);
    await expect(failure).rejects.toMatchObject({ name: 'ToolFailure', message: expect.stringMatching(/^\S.+\.$/) });
    await expect(failure).rejects.not.toThrow('secret');
  });

  it('reports a host that does not exist', async () => {
    await expect(fetchPage('http://no-such-host.invalid/')).rejects.toMatchObject({ name: 'ToolFailure' });
  });
});

describe('the size of a page', () => {
  it('is bounded for a body without an end (TOOL-4)', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const page: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const write = (): void => {
        while (!response.destroyed && (sent += chunk.length) && response.write(chunk));
      };
      response.on('drain', write);
      write();
    };
    await expect(fetchAt('/endless', page)).rejects.toThrow(TOO_LARGE);
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  it('is bounded for a declared length', async () => {
    await expect(fetchAt('/declared', send(Buffer.alloc(2 * 1024 * 1024 + 1, 'x')))).rejects.toThrow(TOO_LARGE);
  });

  it('is bounded for a compressed bomb (TOOL-4)', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    await expect(fetchAt('/bomb', send(bomb, { 'content-encoding': 'gzip' }))).rejects.toThrow(TOO_LARGE);
  });
});

describe('the time of a page', () => {
  it.each<[string, RequestListener]>([
    ['before', () => undefined],
    ['within', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>')],
  ])('is bounded for a server that hangs %s its answer', async (place, page) => {
    await expect(fetchAt(`/hangs-${place}`, page, 300)).rejects.toThrow('The page did not answer in time.');
  });

  it('counts all redirects together', async () => {
    const slowly = (answer: RequestListener): RequestListener => {
      return (request, response) => void setTimeout(() => answer(request, response), 200);
    };
    for (const hop of [1, 2]) {
      const location = `/slow-${hop + 1}`;
      pages.set(
        `/slow-${hop}`,
        slowly((_, response) => response.writeHead(302, { location }).end()),
      );
    }
    // Each hop answers within the time, all of them do not.
    await expect(fetchAt('/slow-3', slowly(send('late')), 10)).rejects.toThrow('did not answer in time');
    await expect(fetchPage(`http://${HOST}/slow-1`, 500)).rejects.toThrow('did not answer in time');
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    pages.set('/stopped', () => controller.abort(new Error('stopped')));
    await expect(fetchPage(`http://${HOST}/stopped`, 30_000, controller)).rejects.toThrow('stopped');
  });
});

describe('the address of a page', () => {
  it.each([
    'http://127.0.0.1/',
    'http://localhost/',
    'http://[::1]/',
    'http://10.0.0.1/',
    'http://192.168.1.1/admin',
    'http://169.254.169.254/latest/meta-data',
    'http://[::ffff:169.254.169.254]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://100.100.100.200/',
  ])('must be public: %s (SSRF-7)', async (address) => {
    await expect(fetchPage(address)).rejects.toThrow(PRIVATE);
  });

  it.each(['http://127.0.0.1/', 'http://169.254.169.254/latest', 'http://[::1]/', 'http://localhost/'])(
    'must be public on every hop: a redirect to %s (SSRF-7)',
    async (location) => {
      await expect(fetchAt('/redirect', redirectTo(location))).rejects.toThrow(PRIVATE);
      expect(requests).toEqual(['/redirect']);
    },
  );

  it.each(['http://pages.example:8080/', 'file:///etc/passwd', 'gopher://pages.example/', 'http://a:b@pages.example/'])(
    'refuses a redirect to %s (SSRF-7)',
    async (location) => {
      await expect(fetchAt('/redirect', redirectTo(location))).rejects.toMatchObject({ name: 'ToolFailure' });
      expect(requests).toEqual(['/redirect']);
    },
  );

  it('follows three redirects and not four', async () => {
    for (const hop of [1, 2, 3]) pages.set(`/hop-${hop}`, redirectTo(`/hop-${hop + 1}`, 301));
    pages.set('/hop-4', send('Arrived'));
    const arrived = await fetchPage(`http://${HOST}/hop-1`);
    expect([arrived.url.pathname, arrived.bytes.toString()]).toEqual(['/hop-4', 'Arrived']);
    await expect(fetchAt('/hop-0', redirectTo('/hop-1'))).rejects.toThrow('redirects more than 3 times');
  });
});
