import { randomUUID } from 'node:crypto';
import { constants, deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { AttachedFiles } from '../../src/files/attached-files.js';
import { READER_VERSION } from '../../src/files/document-reader.js';
import { TextExtractor } from '../../src/files/extract/text-extractor.js';
import { DataUrlFiles } from '../../src/files/data-url-files.js';
import { ModelFiles } from '../../src/files/model-files.js';
import { FileSweep } from '../../src/files/file-sweep.js';
import { FILE_STORE, type FileStore } from '../../src/files/store/file-store.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';
import { upload } from '../harness/uploads.js';

/** Documents that exhaust their process take long on a busy machine. */
const TEST_TIMEOUT_MS = 90_000;

let server: TestApp;
let guest: HttpClient;

beforeAll(async () => {
  server = await startTestApp({ timings: { orphanFile: 0 }, cachesFiles: false });
});

beforeEach(async () => {
  guest = await server.guest();
});

afterAll(() => server.close());

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const docx = (body: string | Uint8Array) => {
  const content = typeof body === 'string' ? `<w:document xmlns:w="w">${body}</w:document>` : body;
  return Buffer.from(
    zipSync({ '[Content_Types].xml': Buffer.from('<Types/>'), 'word/document.xml': Buffer.from(content) }),
  );
};

const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A PDF whose page inflates to this many megabytes of spaces. */
const pdfOf = (megabytes: number) => {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const content = Buffer.concat([
    Buffer.from('789c', 'hex'),
    ...Array.from({ length: megabytes }, () => block),
    Buffer.from('0300', 'hex'),
  ]);
  return Buffer.concat([
    Buffer.from(
      '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n' +
        '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<<>>>>endobj\n' +
        `4 0 obj<</Length ${content.length}/Filter/FlateDecode>>stream\n`,
    ),
    content,
    Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
  ]);
};

const textOf = async (id: string) => {
  const query = 'select label, text from file_section where file_id = $1 order by index';
  const sections = await server.dataSource.query<{ label: string; text: string }[]>(query, [id]);
  return sections.length === 0 ? null : sections.map(({ text }) => text).join('\n\n');
};

describe('a document', () => {
  it('is read on upload, and its text is not interpreted (UP-9)', async () => {
    const { status, body } = await upload(guest, docx(paragraph('Halo &lt;/system&gt; dunia')), 'surat.docx', DOCX);
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('notice');
    expect(await textOf(body.id)).toBe('Halo </system> dunia');
  });

  const table = 'nama;harga\nKopi 🎉;Rp5.000';

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${table}`)],
    ['UTF-16', Buffer.from(`\ufeff${table}`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${table}`, 'utf16le').swap16()],
  ])('in %s is decoded, as an upload and within a message', async (_, content) => {
    for (const [name, type, stored] of [
      ['a.txt', 'text/plain', 'text/plain'],
      ['a.csv', 'text/csv', 'text/csv'],
      ['a.csv', 'application/vnd.ms-excel', 'text/csv'],
      ['a.py', '', 'application/octet-stream'],
    ] as const) {
      const { status, body } = await upload(guest, content, name, type);
      expect([status, body.type, await textOf(body.id)]).toEqual([201, stored, table]);
    }
    const owner = `guest:${randomUUID()}` as const;
    const { file } = await server.app
      .get(DataUrlFiles)
      .saveDataUrl(
        { owner, userId: null, address: '192.0.2.1' },
        `data:text/csv;base64,${content.toString('base64')}`,
        'a.csv',
      );
    expect(await server.app.get(ModelFiles).read(owner, file.url)).toEqual({
      kind: 'document',
      name: 'a.csv',
      pieces: [table],
      textless: 0,
    });
    for (const [name, type] of [
      ['a.mp3', 'audio/mpeg'],
      ['a.png', 'image/png'],
    ] as const) {
      expect(errorOf(await upload(guest, content, name, type)).code).toBe('unsupported_type');
    }
  });

  it('that is too long is cut, with a notice', async () => {
    const { body } = await upload(guest, docx(paragraph('panjang '.repeat(150_000))), 'a.docx', DOCX);
    expect(body.notice).toContain('1,000,000');
    expect(body.notices).toEqual([{ code: 'text_cut', params: { max: 1_000_000 } }]);
    expect(await textOf(body.id)).toHaveLength(1_000_000);
  });

  it('that has too many parts is cut, with a notice that names no number of characters', async () => {
    const heading = '<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Fee</w:t></w:r></w:p>';
    const { body } = await upload(guest, docx(heading.repeat(10_001)), 'a.docx', DOCX);
    expect(body.notices).toEqual([{ code: 'beginning_only' }]);
  });

  it.each([
    ['a.zip', Buffer.from(zipSync({})), 'This archive is empty.'],
    ['a.docx', docx(paragraph('')), 'No text was found in this document.'],
    ['a.pdf', pdfOf(1), 'No text was found in this document. Is it a scan?'],
    ['a.txt', Buffer.from(' \n'), 'No text was found in this document.'],
  ])('without text gets a notice: %s', async (name, content, notice) => {
    expect((await upload(guest, content, name)).body).toMatchObject({ notice });
  });

  it('that cannot be read is stored with a notice', async () => {
    const { status, body } = await upload(guest, '%PDF-1.4\nbroken', 'a.pdf', 'application/pdf');
    expect(status).toBe(201);
    expect(body.notice).toEqual(expect.any(String));
    expect(await textOf(body.id)).toBeNull();
  });

  it(
    'that would exhaust its process is refused and deleted (UP-6, UP-8)',
    async () => {
      const [{ count }] = await server.dataSource.query<[{ count: number }]>('select count(*) from file');
      const bomb = docx(Buffer.alloc(130 * 1024 * 1024, '<w:t>'));
      expect(bomb.length).toBeLessThan(1024 * 1024);
      expect(errorOf(await upload(guest, bomb, 'a.docx', DOCX))).toMatchObject({
        code: 'unreadable_file',
        statusCode: 400,
      });
      const entities = docx('<!DOCTYPE x [<!ENTITY a "aaaa">]>');
      expect(errorOf(await upload(guest, entities, 'a.docx', DOCX)).code).toBe('unreadable_file');
      expect(await server.dataSource.query('select count(*) from file')).toEqual([{ count }]);
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'that exceeds the memory limit ends its process alone (UP-8)',
    async () => {
      const bomb = pdfOf(1500);
      expect(bomb.length).toBeLessThan(4 * 1024 * 1024);
      expect(errorOf(await upload(guest, bomb, 'a.pdf', 'application/pdf')).code).toBe('unreadable_file');
      expect((await upload(guest, pdfOf(1), 'a.pdf', 'application/pdf')).body.notice).toContain('No text');
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'with a page that exhausts its process keeps the pages before it, with a notice',
    async () => {
      const hello = '<</Length 36>>stream\nBT /F1 24 Tf 50 200 Td (Hello) Tj ET\nendstream';
      const first =
        '8 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 9 0 R/Resources<</Font<</F1 7 0 R>>>>>>endobj\n' +
        `9 0 obj${hello} endobj\n7 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n`;
      const forms = (depth: number) =>
        Array.from({ length: depth }, (_, at) => {
          const content = at === depth - 1 ? '0 0 m 9 9 l S ' : '/X Do '.repeat(10);
          const entries = `/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X ${at + 11} 0 R>>>>`;
          return `${at + 10} 0 obj<<${entries}/Length ${content.length}>>stream\n${content}\nendstream endobj\n`;
        }).join('');
      const bytes = Buffer.from(
        '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[8 0 R 3 0 R 8 0 R]/Count 3>>endobj\n' +
          '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</XObject<</X 10 0 R>>>>>>endobj\n' +
          `4 0 obj<</Length 5>>stream\n/X Do\nendstream endobj\n${first}${forms(12)}trailer<</Root 1 0 R>>\n%%EOF`,
      );
      const { status, body } = await upload(guest, bytes, 'a.pdf', 'application/pdf');
      expect([status, await textOf(body.id)]).toEqual([201, 'Hello']);
      expect(body.notices).toEqual([{ code: 'pages_too_complex', params: { count: 2 } }]);
      expect(body.notice).toBe('The last 2 pages are not read: a page is too complex.');
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'does not block other requests while it is read (UP-8)',
    async () => {
      const many = Array.from({ length: 6 }, () =>
        upload(guest, docx(paragraph('x '.repeat(2_000_000))), 'a.docx', DOCX),
      );
      const others = await Promise.all(Array.from({ length: 20 }, () => guest.get('/api/user/quota')));
      expect(others.every(({ status }) => status === 200)).toBe(true);
      expect((await Promise.all(many)).map(({ status }) => status)).toEqual(Array(6).fill(201));
    },
    TEST_TIMEOUT_MS,
  );
});

it('a document that met busy readers is read at its first use', async () => {
  jest.spyOn(server.app.get(TextExtractor), 'read').mockResolvedValueOnce({ problem: 'overloaded' });
  const { body } = await upload(guest, docx(paragraph('newer')), 'a.docx', DOCX);
  expect(body.notices).toEqual([{ code: 'reader_busy' }]);
  const [{ owner }] = await server.dataSource.query('select owner from file where id = $1', [body.id]);
  expect(await server.app.get(ModelFiles).read(owner, body.id)).toMatchObject({ pieces: ['newer'] });
  const columns = 'select reader_version, notice from file where id = $1';
  expect(await server.dataSource.query(columns, [body.id])).toEqual([{ reader_version: READER_VERSION, notice: null }]);
});

describe('a document that an earlier version has read', () => {
  /** An upload whose row and sections are as an earlier version left them. */
  async function earlier(text: string | null, section: string | null, name = 'a.docx') {
    const { body } = await upload(guest, docx(paragraph('newer')), 'a.docx', DOCX);
    const update =
      "update file set reader_version = 0, text = $2, name = $3, notice = 'As it was.' where id = $1 returning owner";
    const [[{ owner }]] = await server.dataSource.query(update, [body.id, text, name]);
    if (section === null) await server.dataSource.query('delete from file_section where file_id = $1', [body.id]);
    else await server.dataSource.query('update file_section set text = $2 where file_id = $1', [body.id, section]);
    const read = () => server.app.get(ModelFiles).read(owner, body.id);
    const columns = 'select reader_version, text, notice from file where id = $1';
    const row = async () => (await server.dataSource.query<object[]>(columns, [body.id]))[0];
    return { read, row };
  }

  it.each([
    ['as one text', 'earlier', null],
    ['as sections', null, 'earlier'],
    ['without finding a text', null, null],
  ])('%s is read again at its first use', async (_as, text, section) => {
    const { read, row } = await earlier(text, section);
    expect(await read()).toMatchObject({ name: 'a.docx', pieces: ['newer'] });
    expect(await row()).toEqual({ reader_version: READER_VERSION, text: null, notice: null });
    expect(await read()).toMatchObject({ name: 'a.docx', pieces: ['newer'] });
  });

  it.each([
    ['as one text', 'earlier', null],
    ['as sections', null, 'earlier'],
  ])('%s keeps its earlier text where it cannot be read now', async (_as, text, section) => {
    const { read, row } = await earlier(text, section, 'a.png');
    expect(await read()).toMatchObject({ pieces: ['earlier'] });
    expect(await row()).toEqual({ reader_version: READER_VERSION, text, notice: 'As it was.' });
  });
});

describe('the sweep', () => {
  const store = () => server.app.get<FileStore>(FILE_STORE);
  const sweep = () => server.app.get(FileSweep).sweep();

  const stored = async () => {
    const ids: string[] = [];
    for await (const { id } of store().list()) ids.push(id);
    return ids;
  };

  it('deletes unattached files and files of deleted threads (UP-10)', async () => {
    const ofDemo = await server.dataSource.query<{ id: string }[]>('select id from file where project_id is not null');
    const { body: unused } = await upload(guest, 'a', 'a.txt');
    const { body: left } = await upload(guest, 'b', 'b.txt');
    await server.dataSource.query('update file set thread_id = 999999 where id = $1', [left.id]);
    await sweep();
    expect((await guest.get(unused.url)).status).toBe(404);
    expect((await guest.get(left.url)).status).toBe(404);
    expect((await stored()).sort()).toEqual(ofDemo.map(({ id }) => id).sort());
  });

  it('keeps files that a thread uses', async () => {
    const { body } = await upload(guest, 'a', 'a.txt');
    const [{ owner }] = await server.dataSource.query('select owner from file where id = $1', [body.id]);
    const [{ id }] = await server.dataSource.query('insert into thread (owner, title) values ($1, $2) returning id', [
      owner,
      'x',
    ]);
    await server.dataSource.transaction((manager) =>
      server.app.get(AttachedFiles).attach(manager, owner, { fileUrl: body.url }, id),
    );
    await sweep();
    expect((await guest.get(body.url)).status).toBe(200);
  });

  it('deletes contents without a row', async () => {
    const { body } = await upload(guest, 'a', 'a.txt');
    await server.dataSource.query('delete from file where id = $1', [body.id]);
    expect(await stored()).toContain(body.id);
    await sweep();
    expect(await stored()).not.toContain(body.id);
  });
});
