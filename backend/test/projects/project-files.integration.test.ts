import { randomUUID } from 'node:crypto';
import { LIMITS, type PagePicture, type PageWord, type ProjectFile, type ProjectSection } from '@tanya/contract';
import { p, word } from '../files/made-documents.js';
import { encryptedPdf, pdfOf } from '../files/scanned-pdf.js';
import { FileIndexer, ReaderBusy } from '../../src/projects/indexing/file-indexer.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { download, fileRowCount, filesOnDisk, PNG, upload } from '../harness/uploads.js';
import { waitUntil } from '../harness/wait-until.js';
import { changeSettings } from '../quota/budget-harness.js';
import { addFile, createProject, filesOf, filesRead, PROJECTS, searchIn, setMembers } from './project-harness.js';

let harness: ChatHarness;

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { projectQueue: 200, projectLease: 2_000 } });
});

afterEach(() => harness.settle());

afterAll(() => harness.close());

const pathOf = (id: number, fileId = ''): string => `${PROJECTS}/${id}/files${fileId && `/${fileId}`}`;

async function withProject(): Promise<{ client: HttpClient; id: number; username: string }> {
  const { client, user } = await harness.member();
  return { client, id: (await createProject(client)).id, username: user.username };
}

const sectionsOf = async (client: HttpClient, id: number, fileId: string) =>
  (await client.get<ProjectSection[]>(`${pathOf(id, fileId)}/sections`)).body;

describe('the files of a project', () => {
  it('are read after their upload: sections, chunks and state', async () => {
    const { client, id } = await withProject();
    const added = await addFile(
      client,
      id,
      pdfOf([{ text: 'The harbour opens at six.' }, { text: 'It closes at ten.' }]),
      'hours.pdf',
      'application/pdf',
    );
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      name: 'hours.pdf',
      state: 'reading',
      sections: 0,
      chunks: 0,
      isSemantic: false,
    });
    const [file] = await filesRead(client, id);
    expect(file).toMatchObject({ id: added.body.id, state: 'ready', sections: 2, chunks: 2, isSemantic: false });
    expect((await client.get<ProjectFile>(pathOf(id, file!.id))).body).toEqual(file);
    expect(await sectionsOf(client, id, file!.id)).toEqual([
      { index: 0, kind: 'page', label: 'page 1', text: 'The harbour opens at six.' },
      { index: 1, kind: 'page', label: 'page 2', text: 'It closes at ten.' },
    ]);
  });

  it('name the pages of a PDF as it names them itself, beside their number', async () => {
    const { client, id } = await withProject();
    const pages = [{ text: 'Cover.' }, { text: 'Preface.' }, { scan: 0.5 }, { text: 'Berths are free.' }] as const;
    const names = '/PageLabels<</Nums[0<</P(Cover)>>1<</S/r>>3<</S/D>>]>>';
    await addFile(client, id, pdfOf(pages, '', names), 'book.pdf', 'application/pdf');
    const [file] = await filesRead(client, id);
    const labels = (await sectionsOf(client, id, file!.id)).map(({ label }) => label);
    expect(labels).toEqual(['page 1 (Cover)', 'page 2 (i)', 'page 3 (ii)', 'page 4 (1)']);
    expect((await searchIn(client, id, 'berths'))[0]).toMatchObject({ section: 3, label: 'page 4 (1)' });
  });

  it('have sections that begin with the headings of Markdown and DOCX', async () => {
    const { client, id } = await withProject();
    const markdown = 'Before.\n\n# Opening hours\n\nSix to ten.\n\n```\n# no heading\n```\n\n## Fees ##\n\nFive euros.';
    const heading = '<w:pStyle w:val="Heading1"/><w:outlineLvl w:val="0"/>';
    await addFile(client, id, markdown, 'guide.md', 'text/markdown');
    await addFile(
      client,
      id,
      word(p('Safety', heading) + p('Wear a helmet.')),
      'safety.docx',
      'application/octet-stream',
    );
    const [guide, safety] = await filesRead(client, id);
    expect((await sectionsOf(client, id, guide!.id)).map(({ label, text }) => [label, text])).toEqual([
      ['', 'Before.'],
      ['Opening hours', 'Six to ten.\n\n```\n# no heading\n```'],
      ['Fees', 'Five euros.'],
    ]);
    expect(safety!.state).toBe('ready');
    expect((await searchIn(client, id, 'fees')).at(0)).toMatchObject({ name: 'guide.md', section: 2, label: 'Fees' });
  });

  it.each<[string, string | Buffer, string, string]>([
    ['an encrypted PDF', encryptedPdf(), 'secret.pdf', 'application/pdf'],
    ['a picture', PNG, 'picture.png', 'image/png'],
    ['a text of blanks', ' \n \n', 'blank.txt', 'text/plain'],
  ])('fail with a notice: %s', async (_kind, content, name, type) => {
    const { client, id } = await withProject();
    expect((await addFile(client, id, content, name, type)).status).toBe(201);
    const [file] = await filesRead(client, id);
    expect(file).toMatchObject({ state: 'failed', sections: 0, chunks: 0, notice: expect.stringMatching(/\w/) });
  });

  it('that are scans are ready, with their pages as pictures', async () => {
    const { client, id } = await withProject();
    await addFile(client, id, pdfOf([{ scan: 0.5 }, { text: 'Read me.' }]), 'scan.pdf', 'application/pdf');
    const [file] = await filesRead(client, id);
    expect(file).toMatchObject({ state: 'ready', sections: 2, chunks: 1 });
    expect(file!.notices?.map(({ code }) => code)).toEqual(['pages_as_pictures']);
  });

  it('are added once: the same contents answer with the id that is there, also at the same moment', async () => {
    const { client, id } = await withProject();
    const content = `A note ${randomUUID()}`;
    const answers = await Promise.all(['a.txt', 'b.txt'].map((name) => addFile(client, id, content, name)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const added = answers.find(({ status }) => status === 201)!;
    const again = await addFile(client, id, content, 'c.txt');
    expect(errorOf(again)).toMatchObject({ code: 'conflict', details: { params: { id: added.body.id } } });
    expect(await filesOf(client, id)).toHaveLength(1);
    const other = await createProject(client);
    expect((await addFile(client, other.id, content, 'a.txt')).status).toBe(201);
  });

  it('are added again after they failed: the new one takes the place of the other', async () => {
    const { client, id } = await withProject();
    const stored = (await filesOnDisk(harness)).length;
    const content = `A note ${randomUUID()}`;
    const { body: failed } = await addFile(client, id, content, 'a.txt');
    await filesRead(client, id);
    const fail = `update project_file set state = 'failed', notices = '[{"code":"reader_busy"}]' where file_id = $1`;
    await harness.dataSource.query(fail, [failed.id]);
    const answers = await Promise.all(['a.txt', 'a.txt'].map((name) => addFile(client, id, content, name)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const [file, ...others] = await filesRead(client, id);
    expect(others).toEqual([]);
    expect(file).toMatchObject({ name: 'a.txt', state: 'ready' });
    expect(file!.id).not.toBe(failed.id);
    expect(await filesOnDisk(harness)).toHaveLength(stored + 1);
  });

  it('wait for the readers of documents while these are busy', async () => {
    const { client, id } = await withProject();
    const index = jest.spyOn(harness.app.get(FileIndexer), 'index');
    for (let count = 0; count < 6; count += 1) index.mockRejectedValueOnce(new ReaderBusy());
    const { body: file } = await addFile(client, id, 'The lighthouse is white.', 'light.txt');
    // Without the pauses between.
    const due = `update project_file set due_at = now() where file_id = $1 and attempts = 0 and due_at > now()`;
    await waitUntil('the seventh look', async () => {
      await harness.dataSource.query(due, [file.id]);
      return index.mock.calls.length === 7;
    });
    expect((await filesRead(client, id))[0]).toMatchObject({ state: 'ready' });
    index.mockRestore();
  });

  it('are given up after a day for which the readers of documents were busy', async () => {
    const { client, id } = await withProject();
    const index = jest.spyOn(harness.app.get(FileIndexer), 'index').mockImplementation(async ({ fileId }) => {
      await harness.dataSource.query(
        `update project_file set created_at = now() - interval '2 days' where file_id = $1`,
        [fileId],
      );
      throw new ReaderBusy();
    });
    await addFile(client, id, 'The lighthouse is red.', 'light.txt');
    expect((await filesRead(client, id))[0]).toMatchObject({ state: 'failed', notices: [{ code: 'reader_busy' }] });
    index.mockRestore();
  });

  it('that are PDFs show their pages as pictures, with the places of the words, to members alone', async () => {
    const { client, id } = await withProject();
    const pdf = pdfOf([{ text: 'The harbour\nopens at six.' }, { scan: 0.5 }, 'blank', { text: 'The end.' }]);
    const { body: file } = await addFile(client, id, pdf, 'hours.pdf', 'application/pdf');
    const { body: note } = await addFile(client, id, 'No pages.', 'note.txt');
    await filesRead(client, id);
    const page = (number: number | string, fileId = file.id, reader = client) =>
      reader.get<PagePicture>(`${pathOf(id, fileId)}/pages/${number}`);
    const [answer, again] = await Promise.all([page(1), page(1)]);
    expect(again.body).toEqual(answer.body);
    const { picture, words, ...size } = answer.body;
    expect(size).toEqual({ page: 1, width: 1_131, height: 1_600 });
    const bytes = Buffer.from(picture.replace(/^data:image\/jpeg;base64,/, ''), 'base64');
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff');
    expect(words.map(([text]) => text)).toEqual(['The', 'harbour', 'opens', 'at', 'six.']);
    const [[, left, top, width, height], , [, nextLeft, nextTop]] = words as [PageWord, PageWord, PageWord];
    // 50 of 595 points from the left and 142 of 842 from the top, below which the letters stand.
    expect(left).toBeGreaterThan(800);
    expect(left).toBeLessThan(880);
    expect(top + height).toBeGreaterThan(1_650);
    expect(top + height).toBeLessThan(1_710);
    expect(width).toBeGreaterThan(200);
    expect(Math.abs(nextLeft - left)).toBeLessThan(60);
    expect(nextTop).toBeGreaterThan(top + height);
    expect((await page(2)).body).toMatchObject({ page: 2, words: [] });
    expect((await page(4)).body.words).toHaveLength(2);
    for (const wrong of [0, 3, 5, 'x', 9_999_999]) expect([wrong, (await page(wrong)).status]).toEqual([wrong, 404]);
    expect((await page(1, note.id)).status).toBe(404);
    const stranger = await harness.member();
    expect((await page(1, file.id, stranger.client)).status).toBe(404);
    const viewer = await harness.member();
    await setMembers(client, id, { [viewer.user.username]: 'viewer' });
    expect((await page(1, file.id, viewer.client)).status).toBe(200);
    await setMembers(client, id, {});
    expect((await page(1, file.id, viewer.client)).status).toBe(404);
    await client.delete(pathOf(id, file.id));
    expect((await page(1)).status).toBe(404);
  });

  it('have names of their own, also those of the longest size that are added at the same moment', async () => {
    const { client, id } = await withProject();
    const add = async (name: string) => (await addFile(client, id, `A note ${randomUUID()}`, name)).body.name;
    expect(await add('report.txt')).toBe('report.txt');
    expect(await add('Report.TXT')).toBe('Report (2).TXT');
    expect(await add('report.txt')).toBe('report (3).txt');
    expect(await add('report (2).txt')).toBe('report (2) (2).txt');
    expect(await add('notes')).toBe('notes');
    expect(await add('.notes')).toBe('.notes');
    const long = `${'x'.repeat(LIMITS.fileName.max - 4)}.txt`;
    const names = await Promise.all([add(long), add(long), add(long)]);
    expect(new Set(names).size).toBe(3);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(LIMITS.fileName.max);
    expect(new Set((await filesOf(client, id)).map(({ name }) => name)).size).toBe(9);
  });

  it('are copied from own files, which may then be deleted', async () => {
    const { client, id } = await withProject();
    const own = (await upload(client, 'The ferry leaves at noon.', 'ferry.txt', 'text/plain')).body;
    const copied = await client.post<ProjectFile>(pathOf(id), { fileId: own.id });
    expect([copied.status, copied.body.name]).toEqual([201, 'ferry.txt']);
    expect(copied.body.id).not.toBe(own.id);
    await filesRead(client, id);
    expect(await searchIn(client, id, 'ferry')).toHaveLength(1);
    const foreign = (await upload((await harness.member()).client, 'Foreign', 'foreign.txt', 'text/plain')).body;
    expect((await client.post(pathOf(id), { fileId: foreign.id })).status).toBe(404);
    for (const body of [{}, { fileId: 'x' }, { fileId: own.id, other: 1 }])
      expect((await client.post(pathOf(id), body)).status).toBe(400);
  });

  it('belong to the project alone: no member opens one as an own file, and strangers find none (AZ-12)', async () => {
    const { client, id } = await withProject();
    const { body: file } = await addFile(client, id, 'Private', 'private.txt');
    expect((await download(client, `/api/files/${file.id}`)).status).toBe(404);
    const page = await harness.page(client);
    const ack = await page.ask('generation:start', {
      clientMessageId: randomUUID(),
      threadId: null,
      model: 'openai/gpt-4o-mini',
      content: { text: 'a', attachments: [{ fileId: file.id }] },
    });
    expect(ack).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const { client: stranger, id: own } = await withProject();
    for (const answer of [
      await stranger.get(pathOf(id)),
      await stranger.get(pathOf(id, file.id)),
      await stranger.get(pathOf(own, file.id)),
      await stranger.get(`${pathOf(own, file.id)}/sections`),
      await stranger.delete(pathOf(own, file.id)),
      await stranger.delete(pathOf(id, file.id)),
      await addFile(stranger, id, 'Mine', 'mine.txt'),
      await stranger.get(`${PROJECTS}/${id}/search?q=private`),
      await stranger.post(pathOf(own), { fileId: file.id }),
    ])
      expect(answer.status).toBe(404);
    expect((await client.get(pathOf(id, file.id))).status).toBe(200);
  });

  it('are added and deleted by editors, and read by viewers', async () => {
    const { client, id } = await withProject();
    const [editor, viewer] = [await harness.member(), await harness.member()];
    await setMembers(client, id, { [editor.user.username]: 'editor', [viewer.user.username]: 'viewer' });
    const { body: file } = await addFile(editor.client, id, 'Shared text', 'shared.txt');
    expect((await addFile(viewer.client, id, 'Mine', 'mine.txt')).status).toBe(403);
    expect((await viewer.client.delete(pathOf(id, file.id))).status).toBe(403);
    await filesRead(viewer.client, id);
    expect(await searchIn(viewer.client, id, 'shared')).toHaveLength(1);
    expect((await editor.client.delete(pathOf(id, file.id))).status).toBe(200);
    expect(await filesOf(client, id)).toEqual([]);
  });

  it('leave nothing when they are deleted, alone, while they are read, or with their project', async () => {
    const before = { rows: await fileRowCount(harness), stored: (await filesOnDisk(harness)).length };
    const { client, id } = await withProject();
    const { body: first } = await addFile(client, id, 'One of three', 'one.txt');
    await filesRead(client, id);
    expect((await client.delete(pathOf(id, first.id))).status).toBe(200);
    expect((await client.delete(pathOf(id, first.id))).status).toBe(404);
    const { body: second } = await addFile(client, id, pdfOf([{ text: 'Two' }]), 'two.pdf', 'application/pdf');
    expect((await client.delete(pathOf(id, second.id))).status).toBe(200);
    await addFile(client, id, 'Three of three', 'three.txt');
    expect((await client.delete(`${PROJECTS}/${id}`)).status).toBe(200);
    await waitUntil('the end of all readings', async () => {
      const [{ chunks }] = await harness.dataSource.query<[{ chunks: number }]>(
        'select count(*)::int as chunks from project_chunk where project_id = $1',
        [id],
      );
      return chunks === 0 && (await filesOnDisk(harness)).length === before.stored;
    });
    expect(await fileRowCount(harness)).toBe(before.rows);
  });

  it('are bounded by number, bytes and characters', async () => {
    const { client, id } = await withProject();
    const admin = await harness.admin();
    const limits = { files: 2, bytes: 1_000, characters: 40 };
    await changeSettings(harness, { projectLimits: { free: limits } });
    const stored = (await admin.get<{ projectLimits: unknown }>('/api/general-settings')).body.projectLimits;
    expect(stored).toMatchObject({ free: limits, premium: { files: 2_000 } });
    try {
      expect((await addFile(client, id, 'A short text.', 'a.txt')).status).toBe(201);
      await filesRead(client, id);
      expect((await addFile(client, id, 'A text that exceeds the characters of the project.', 'b.txt')).status).toBe(
        201,
      );
      expect((await filesRead(client, id)).find(({ name }) => name === 'b.txt')).toMatchObject({
        state: 'failed',
        notices: [{ code: 'project_full', params: { max: 40 } }],
      });
      expect(errorOf(await addFile(client, id, 'One more', 'c.txt'))).toMatchObject({
        statusCode: 507,
        code: 'storage_full',
      });
      await changeSettings(harness, { projectLimits: { free: { files: 10 } } });
      expect(errorOf(await addFile(client, id, 'x'.repeat(1_000), 'd.txt'))).toMatchObject({ code: 'storage_full' });
      expect(await filesOf(client, id)).toHaveLength(2);
    } finally {
      await changeSettings(harness, {
        projectLimits: { free: { files: 100, bytes: 209_715_200, characters: 10_000_000 } },
      });
    }
    expect((await admin.patch('/api/admin/general-settings', { projectLimits: { free: { files: -1 } } })).status).toBe(
      400,
    );
  });

  it('whose node has ended are read by another one, once its lease is over', async () => {
    const { client, id } = await withProject();
    const { body: file } = await addFile(client, id, 'The lighthouse is white.', 'light.txt');
    await filesRead(client, id);
    await harness.dataSource.query(
      `update project_file set state = 'reading', due_at = now() + interval '1 second', attempts = 1 where file_id = $1`,
      [file.id],
    );
    const [read] = await filesRead(client, id);
    expect(read).toMatchObject({ state: 'ready', chunks: 1 });
    expect(await searchIn(client, id, 'lighthouse')).toHaveLength(1);
  });

  it('that end every node that reads them fail after five readings', async () => {
    const { client, id } = await withProject();
    const { body: file } = await addFile(client, id, 'Never again.', 'never.txt');
    await filesRead(client, id);
    await harness.dataSource.query(
      `update project_file set state = 'reading', due_at = now(), attempts = 5 where file_id = $1`,
      [file.id],
    );
    expect((await filesRead(client, id))[0]).toMatchObject({ state: 'failed', notice: expect.stringMatching(/\w/) });
  });
});
