import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import sharp from 'sharp';
import { CONCURRENT_IMPORTS } from '../../src/imports/import-runner.js';
import { READER_MEGABYTES } from '../../src/imports/export-reader.js';
import { DOCUMENT_MEGABYTES } from '../../src/files/extract/text-extractor.js';
import { DRAWING_MEGABYTES } from '../../src/files/extract/page-drawer.js';
import { PAGE_MEGABYTES } from '../../src/files/extract/page-extractor.js';
import { IMAGE_BOUNDS } from '../../src/files/images/image-encoder.js';
import { CHILDREN_MEGABYTES } from '../../src/platform/sandbox/memory-budget.js';
import { residentBytes } from '../../src/platform/system/process-usage.js';
import { CALCULATION_MEGABYTES } from '../../src/tools/built-in/calculator.js';
import { HttpClient } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { ProductProcess } from '../harness/servers/product-process.js';
import { upload } from '../harness/uploads.js';
import { ended, LAST_MESSAGE, upload as uploadExport, zipOf } from '../imports/imports-harness.js';

const MEGABYTE = 1024 * 1024;

/** Six large files are read one after another on a busy machine. */
const TEST_TIMEOUT_MS = 300_000;

it('fits: the largest task of each kind beside all imports that run at once (UP-8)', () => {
  const imports = CONCURRENT_IMPORTS * READER_MEGABYTES;
  const tasks = [
    ...Object.values(IMAGE_BOUNDS).map(({ megabytes }) => megabytes),
    DOCUMENT_MEGABYTES,
    PAGE_MEGABYTES,
    DRAWING_MEGABYTES,
    CALCULATION_MEGABYTES,
  ];
  for (const megabytes of tasks) expect(megabytes + imports).toBeLessThanOrEqual(CHILDREN_MEGABYTES);
});

describe('a server that reads the largest files at once', () => {
  let database: TestDatabase;
  let product: ProductProcess;
  let sql: pg.Client;

  beforeAll(async () => {
    database = await createDatabase();
    sql = new pg.Client(database.url);
    await sql.connect();
    product = await ProductProcess.start({ DATABASE_URL: database.url, NODE_OPTIONS: '--max-old-space-size=512' });
  }, TEST_TIMEOUT_MS);

  afterAll(async () => {
    await product.stop();
    await sql.end();
    await database.drop();
  });

  const lastMessage = async () => (await sql.query<{ id: number }>(LAST_MESSAGE)).rows[0]!.id;

  const member = async (username: string) => {
    const client = new HttpClient(product.url, '127.0.0.1');
    const { status } = await client.post('/api/register', { username, password: 'a password of this test' });
    expect(status).toBe(201);
    return client;
  };

  /** Resident memory of the server and of its children, bytes. */
  const memory = () => {
    const children = readFileSync(`/proc/${product.pid}/task/${product.pid}/children`, 'utf8');
    const pids = children.split(' ').filter(Boolean).map(Number);
    return {
      server: residentBytes(product.pid),
      children: pids.map(residentBytes).reduce((sum, each) => sum + each, 0),
    };
  };

  (process.platform === 'linux' ? it : it.skip)(
    'keeps its children within their budget (UP-8)',
    async () => {
      const [image, document, conversations] = await Promise.all([largestImage(), largeDocument(), largeExport()]);
      const members = await Promise.all(['first', 'second'].map(member));
      let isDone = false;
      const peak = { server: 0, children: 0, both: 0 };
      const sampling = (async () => {
        while (!isDone) {
          const { server, children } = memory();
          peak.server = Math.max(peak.server, server);
          peak.children = Math.max(peak.children, children);
          peak.both = Math.max(peak.both, server + children);
          await sleep(20);
        }
      })();
      const results = await Promise.all(
        members.flatMap((client) => [
          upload(client, image, 'photo.jpg', 'image/jpeg').then(({ status }) => status),
          upload(client, document, 'text.docx').then(({ status }) => status),
          uploadExport(client, conversations).then(
            async ({ body }) => (await ended(client, body.id, lastMessage)).state,
          ),
        ]),
      );
      isDone = true;
      await sampling;
      expect(results).toEqual([201, 201, 'done', 201, 201, 'done']);
      expect(peak.children).toBeGreaterThan(IMAGE_BOUNDS.guest.megabytes * MEGABYTE);
      expect(peak.children).toBeLessThanOrEqual(CHILDREN_MEGABYTES * MEGABYTE);
      if (process.env['MEMORY_FIGURES'] !== undefined)
        appendFileSync(process.env['MEMORY_FIGURES'], JSON.stringify(peak));
    },
    TEST_TIMEOUT_MS,
  );
});

/** A photo of 100 megapixels. */
function largestImage(): Promise<Buffer> {
  const create = { width: 10_000, height: 10_000, channels: 3, background: { r: 200, g: 0, b: 0 } } as const;
  return sharp({ create, limitInputPixels: false }).jpeg().toBuffer();
}

/** A document of 30 MB of text. */
function largeDocument(): Promise<Buffer> {
  const paragraph = `<w:p><w:r><w:t>${'All work and no play. '.repeat(40)}</w:t></w:r></w:p>`;
  return zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ' +
      'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    'word/document.xml':
      '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>' +
      `${paragraph.repeat(30_000)}</w:body></w:document>`,
  });
}

/** An export of two conversations of 19 million characters each, as ChatGPT writes them. */
function largeExport(): Promise<Buffer> {
  const text = 'Hello world. '.repeat(14_600);
  const node = (index: number) => ({
    id: `m${index}`,
    parent: index === 0 ? null : `m${index - 1}`,
    children: index === 99 ? [] : [`m${index + 1}`],
    message: {
      id: `m${index}`,
      author: { role: index % 2 === 0 ? 'user' : 'assistant' },
      create_time: 1_700_000_000 + index,
      content: { content_type: 'text', parts: [text] },
    },
  });
  const mapping = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, node(index)]));
  const conversations = ['a', 'b'].map((id) => ({
    id,
    title: id,
    create_time: 1_700_000_000,
    mapping,
    current_node: 'm99',
  }));
  return zipOf({ 'conversations.json': JSON.stringify(conversations) });
}
