import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { buildConnector } from 'undici';
import { guardedConnector } from '../../src/platform/net/ssrf-guard.js';
import { PageFetcher } from '../../src/tools/pages/page-fetcher.js';
import type { ToolResult } from '../../src/tools/tool.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { PNG } from '../harness/uploads.js';
import { LocalServers } from './local-servers.js';
import { identityOf, runTool } from './tool-harness.js';

/** Processes that read pages start slowly on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

const HOST = 'pages.example';
const PARAGRAPH = 'Kapal layar itu berlabuh di pelabuhan lama saat fajar, dan para pelaut menurunkan muatan rempah. ';
const PAGE = `<!doctype html><html><head><title>Pelabuhan Lama</title><script>alert(1)</script></head><body>
<nav><a href="/">Menu</a></nav><article><h1>Pelabuhan Lama</h1>${`<p>${PARAGRAPH.repeat(3)}</p>`.repeat(5)}
<ul><li>Rempah</li><li>Kayu</li></ul></article><footer>Footer</footer></body></html>`;

const PDF = [
  '%PDF-1.4',
  '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
  '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
  '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj',
  '4 0 obj<</Length 42>>stream\nBT /F1 24 Tf 50 200 Td (Halo dunia) Tj ET \nendstream endobj',
  '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
  'trailer<</Root 1 0 R>>',
  '%%EOF',
].join('\n');

let server: TestApp;
let requests: string[] = [];
const servers = new LocalServers();
const pages = new Map<string, RequestListener>();

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
  server = await startTestApp();
  const port = await servers.serve((request, response) => {
    requests.push(request.url!);
    const page = pages.get(request.url!) ?? ((_, missing) => void missing.writeHead(404).end());
    page(request, response);
  });
  server.app.get(PageFetcher).connect = connectorTo(port);
});

beforeEach(() => {
  requests = [];
});

afterAll(async () => {
  await server.close();
  servers.close();
});

const send =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);

/** Reads an address that the user has written. */
function readAddress(url: string, fields = {}): Promise<ToolResult> {
  return runTool(server, 'read_page', { url }, { knownAddresses: async () => [url], ...fields });
}

/** Serves a page at a path and reads it. */
function read(path: string, page: RequestListener): Promise<ToolResult> {
  pages.set(path, page);
  return readAddress(`http://${HOST}${path}`);
}

describe('read_page', () => {
  it(
    'returns the text of an article with its title and address, without navigation and scripts',
    async () => {
      const { text, sources, isError } = await read('/article', send(PAGE));
      expect(isError).toBeUndefined();
      expect(text).toContain(PARAGRAPH.trim());
      expect(text).toMatch(/^Pelabuhan Lama\n/);
      expect(text).toMatch(/- +Rempah\n/);
      expect(text).not.toMatch(/alert|Menu|<p>/);
      expect(sources).toEqual([{ url: `http://${HOST}/article`, title: 'Pelabuhan Lama' }]);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'reads plain text, compressed pages, other encodings and short pages',
    async () => {
      const [plain, compressed, latin, short] = await Promise.all([
        read('/plain', send('Halo <b>dunia</b>', { 'content-type': 'text/plain' })),
        read('/compressed', send(gzipSync(PAGE), { 'content-encoding': 'gzip' })),
        read(
          '/latin',
          send(Buffer.from('<p>caf\u00e9 ole</p>', 'latin1'), { 'content-type': 'text/html; charset=iso-8859-1' }),
        ),
        read('/short', send('<!doctype html><title>Pendek</title><p>Satu kalimat.')),
      ]);
      expect(plain.text).toBe('Halo <b>dunia</b>');
      expect(compressed.text).toContain('Kapal layar');
      expect(latin.text).toContain('caf\u00e9 ole');
      expect(short.text).toMatch(/Pendek\n+Satu kalimat\./);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'reads a PDF whatever its server claims',
    async () => {
      const { text } = await read('/document', send(PDF, { 'content-type': 'text/html' }));
      expect(text).toBe('[page 1]\nHalo dunia');
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'cuts a long page and marks the cut',
    async () => {
      const { text, isCut } = await read('/long', send(`<article>${`<p>${PARAGRAPH}</p>`.repeat(2_000)}</article>`));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
      expect(text).toContain('[The result was cut here.]');
      expect(isCut).toBe(true);
      expect((await readAddress(`http://${HOST}/article`)).isCut).toBeFalsy();
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'marks a page of which only the beginning was extracted',
    async () => {
      const page = `Awal.${'\n'.repeat(900_000)}Akhir.`;
      const { text, isCut } = await read('/sparse', send(page, { 'content-type': 'text/plain' }));
      expect([text, isCut]).toEqual(['Awal.\n\n[The result was cut here.]', true]);
    },
    TEST_TIMEOUT_MS,
  );

  it.each([
    ['an image that claims to be a page', send(PNG)],
    ['binary content', send(Buffer.from([1, 0, 2, 0, 3, 0, 255, 0]))],
    ['a page without text', send('<html><body><script>render()</script></body></html>')],
    ['an image', send(PNG, { 'content-type': 'image/png' })],
    ['an error status', send('<p>secret</p>', {}, 500)],
    ['an unknown compression', send('x', { 'content-encoding': 'zstd-dcb' })],
    ['a broken compression', send('not gzip', { 'content-encoding': 'gzip' })],
    ['a broken document', send('%PDF-1.4 broken', { 'content-type': 'application/pdf' })],
  ])(
    'gives an error result for %s',
    async (name, page) => {
      const result = await read(`/${encodeURIComponent(name)}`, page);
      expect(result).toEqual({ isError: true, text: expect.stringMatching(/^\S.+\.$/) });
      expect(result.text).not.toContain('secret');
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'survives a deeply nested page (TOOL-4)',
    async () => {
      const nested = await read('/nested', send(`<html><p>The harbour.</p>${'<div>'.repeat(20_000)}x`));
      expect(nested.text).toContain('The harbour.');
      expect((await read('/plain-after', send('ok', { 'content-type': 'text/plain' }))).text).toBe('ok');
    },
    TEST_TIMEOUT_MS,
  );
});

describe('the address of a page', () => {
  it('needs approval unless the user or a search gave it (TOOL-1)', async () => {
    pages.set('/private?text=secret', send('<p>Arrived</p>'));
    const url = `http://${HOST}/private?text=secret`;
    const knownAddresses = async () => [`http://${HOST}/private`];
    expect(await runTool(server, 'read_page', { url }, { knownAddresses })).toMatchObject({ isError: true });
    expect(requests).toEqual([]);
    const approved = await runTool(server, 'read_page', { url }, { knownAddresses, isApproved: true });
    expect(approved.isError).toBeUndefined();
    expect(requests).toEqual(['/private?text=secret']);
  }, 90_000);

  it('is limited per owner (TOOL-3)', async () => {
    const asker = identityOf({ owner: 'guest:reader', userId: null, address: '10.9.9.8' });
    for (let call = 0; call < 30; call++) await readAddress('http://127.0.0.1/', { asker });
    await expect(readAddress('http://127.0.0.1/', { asker })).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
