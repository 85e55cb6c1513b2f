import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import type { ConnectionFault, ConnectionTestResult, ProviderConnection } from '@tanya/contract';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { withUnknownHosts } from '../harness/unknown-hosts.js';

const PATH = '/api/admin/connections';
const KEY = 'sk-a-key-to-be-tested-1234';
const MODELS = JSON.stringify({ data: [{ id: 'a' }, { id: 'b' }] });

let server: TestApp;
let admin: HttpClient;
const servers: Server[] = [];

beforeAll(async () => {
  server = await startTestApp({ timings: { connectionTest: 30_000 } });
  admin = await server.admin();
});

afterAll(async () => {
  for (const each of servers) each.close();
  await server.close();
});

/** Starts a real HTTP server. @returns its base URL, and the requests that it received */
async function serve(listener: RequestListener) {
  const requests: { url: string; authorization: string | undefined }[] = [];
  const http = createServer((request, response) => {
    requests.push({ url: request.url!, authorization: request.headers.authorization });
    listener(request, response);
  });
  return { url: await listen(http), requests };
}

async function listen(tcp: Server): Promise<string> {
  servers.push(tcp);
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  tcp.unref();
  return `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/v1`;
}

const json: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(MODELS);
};

const test = (request: object, by = admin) => by.post<ConnectionTestResult>(`${PATH}/test`, request);

async function faultAt(baseUrl: string, by = admin): Promise<ConnectionFault> {
  const answer = await test({ kind: 'compatible', baseUrl, apiKey: KEY }, by);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain(KEY);
  if (answer.body.ok) throw new Error('the test succeeded');
  expect(answer.body.message).toMatch(/^\S.+\.$/);
  return answer.body.fault;
}

describe('a test of a connection', () => {
  it('lists the models of a server, with and without a key', async () => {
    const { url, requests } = await serve(json);
    for (const apiKey of [KEY, undefined, '']) {
      expect((await test({ kind: 'compatible', baseUrl: url, apiKey })).body).toMatchObject({ ok: true, models: 2 });
    }
    expect(requests.map(({ authorization }) => authorization)).toEqual([`Bearer ${KEY}`, undefined, undefined]);
  });

  const answers: [ConnectionFault, RequestListener][] = [
    ['unauthorized', (_, response) => void response.writeHead(401).end(`{"error":{"message":"bad key ${KEY}"}}`)],
    ['unauthorized', (_, response) => void response.writeHead(403).end('{"error":{"message":"no"}}')],
    // Of a proxy, which does not judge the key.
    ['http_error', (_, response) => void response.writeHead(403).end('<html>no</html>')],
    ['no_credit', (_, response) => void response.writeHead(402).end()],
    ['rate_limited', (_, response) => void response.writeHead(429, { 'retry-after': '1' }).end()],
    ['not_found', (_, response) => void response.writeHead(404).end('<html>not here</html>')],
    ['http_error', (_, response) => void response.writeHead(503).end()],
    ['html', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')],
    ['invalid_answer', (_, response) => void response.writeHead(200).end('not JSON')],
    ['invalid_answer', (_, response) => void response.writeHead(200).end('{"answers":[]}')],
    ['unreachable', (request) => void request.socket.destroy()],
  ];

  it.each(answers)('reports %s, case %#', async (fault, listener) => {
    const { url, requests } = await serve(listener);
    expect(await faultAt(url)).toBe(fault);
    // A retry would hide the fault, and lock an account that counts wrong keys.
    expect(requests).toHaveLength(1);
  });

  it('closes the connection of an HTML answer without an end', async () => {
    const closed: Promise<unknown>[] = [];
    const { url } = await serve((request, response) => {
      closed.push(once(request.socket, 'close'));
      response.writeHead(200, { 'content-type': 'text/html' }).write('<html>');
    });
    expect(await faultAt(url)).toBe('html');
    expect(closed).toHaveLength(1);
    await closed[0];
  });

  it('does not follow a redirect', async () => {
    const target = await serve(json);
    const { url } = await serve((_, response) => void response.writeHead(302, { location: target.url }).end());
    expect(await faultAt(url)).toBe('redirect');
    expect(target.requests).toEqual([]);
  });

  it('ends with a timeout when the server hangs before or within its answer', async () => {
    const silent = await serve(() => undefined);
    const slow = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[');
    });
    const unspoken = await listen(createTcpServer());
    const hasty = await startTestApp({ timings: { connectionTest: 500 } });
    const by = await hasty.admin();
    const faults = await Promise.all([silent.url, slow.url, unspoken].map((url) => faultAt(url, by)));
    expect(faults).toEqual(['timeout', 'timeout', 'timeout']);
    await hasty.close();
  });

  it('refuses an answer that is too large', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', write);
      write();
    });
    expect(await faultAt(url)).toBe('too_large');
  });

  it('reports a host name that does not exist and a closed port', async () => {
    expect(await withUnknownHosts(() => faultAt('http://no-such-host.invalid/v1'))).toBe('dns');
    const closed = createTcpServer();
    const url = await listen(closed);
    closed.close();
    expect(await faultAt(url)).toBe('refused');
  });

  it('reports a server that does not speak TLS', async () => {
    const { url } = await serve(json);
    expect(await faultAt(url.replace('http:', 'https:'))).toBe('tls');
  });

  it.each(['http://169.254.169.254/v1', 'http://[fd00:ec2::254]/v1', 'http://2852039166/', 'http://[fe80::1]/v1'])(
    'never contacts the link-local or metadata address %s (SSRF-1)',
    async (baseUrl) => {
      expect(await faultAt(baseUrl)).toBe('address_forbidden');
    },
  );

  it('needs a key or a base URL', async () => {
    expect((await test({ kind: 'openai' })).body).toMatchObject({ ok: false, fault: 'not_configured' });
  });

  it.each([
    [{}, 'kind'],
    [{ kind: 'compatible' }, 'baseUrl'],
    [{ kind: 'compatible', baseUrl: 'localhost' }, 'baseUrl'],
    [{ kind: 'compatible', baseUrl: 'http://host', apiKey: 'a b' }, 'apiKey'],
    [{ id: 'one' }, 'id'],
  ])('is refused for %j', async (request, field) => {
    expect(errorOf(await test(request))).toMatchObject({ statusCode: 400, details: [{ field }] });
  });

  it('checks the key at OpenRouter, whose list is public', async () => {
    const { url } = await serve((request, response) => {
      const isRefused = request.url === '/v1/key' && request.headers.authorization !== `Bearer ${KEY}`;
      response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' }).end(MODELS);
    });
    expect((await test({ kind: 'openrouter', baseUrl: url, apiKey: KEY })).body.ok).toBe(true);
    const wrong = await test({ kind: 'openrouter', baseUrl: url, apiKey: 'sk-wrong' });
    expect(wrong.body).toMatchObject({ ok: false, fault: 'unauthorized' });
  });
});

describe('a test of a saved connection', () => {
  const saved = async (baseUrl: string): Promise<ProviderConnection> => {
    const name = `Saved at ${baseUrl}`;
    return (await admin.post<ProviderConnection>(PATH, { kind: 'compatible', name, baseUrl, apiKey: KEY })).body;
  };
  const read = async ({ id }: ProviderConnection): Promise<ProviderConnection> =>
    (await admin.get<ProviderConnection[]>(PATH)).body.find((each) => each.id === id)!;

  it('uses the sealed key and records the outcome', async () => {
    let status = 200;
    const { url, requests } = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(MODELS);
    });
    const connection = await saved(url);
    expect((await test({ id: connection.id })).body.ok).toBe(true);
    expect(requests[0]!.authorization).toBe(`Bearer ${KEY}`);
    expect(await read(connection)).toMatchObject({ lastSuccess: expect.any(String), lastError: null });
    status = 401;
    expect((await test({ id: connection.id })).body).toMatchObject({ fault: 'unauthorized' });
    expect((await read(connection)).lastError).toEqual({
      code: 'provider_auth',
      message: 'The provider refused the API key.',
      at: expect.any(String),
    });
    expect((await read(connection)).updatedAt).toBe(connection.updatedAt);
  });

  it('does not send the sealed key to another address (SET-3)', async () => {
    const [own, other] = [await serve(json), await serve(json)];
    const connection = await saved(own.url);
    const refused = await test({ id: connection.id, baseUrl: other.url });
    expect(errorOf(refused)).toMatchObject({ statusCode: 400, details: [{ field: 'apiKey' }] });
    const masked = await test({ id: connection.id, baseUrl: other.url, apiKey: connection.apiKey });
    expect(masked.status).toBe(400);
    expect(other.requests).toEqual([]);
    expect((await test({ id: connection.id, baseUrl: other.url, apiKey: 'sk-new' })).body.ok).toBe(true);
    expect((await read(connection)).lastSuccess).toBeNull();
  });

  it('does not exist for an unknown id', async () => {
    expect((await test({ id: 999_999 })).status).toBe(404);
  });
});
