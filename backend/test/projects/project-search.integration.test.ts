import type { SearchHit } from '@tanya/contract';
import { askedWords } from '../../src/projects/indexing/search-words.js';
import { ProjectSearch } from '../../src/projects/search/project-search.js';
import { type FoundByWords, searchChunks } from '../../src/projects/search/search-chunks.sql.js';
import { pdfOf } from '../files/scanned-pdf.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { createDatabase, type TestDatabase } from '../harness/postgres.js';
import { lockWaits, waitForLockWait, withConnection } from '../harness/lock-waits.js';
import { addFile, createProject, filesRead, PROJECTS, searchIn } from './project-harness.js';

let database: TestDatabase;
let harness: ChatHarness;
let client: HttpClient;
let id: number;
let userId: number;

const FILLER = 'The committee met again and the members of the committee approved the minutes. ';

beforeAll(async () => {
  database = await createDatabase();
  harness = await startChatHarness({ redis: false, database, timings: { projectQueue: 200 } });
  const member = await harness.member();
  ({ client } = member);
  userId = member.user.id;
  ({ id } = await createProject(client));
  const pages = Array.from({ length: 8 }, (_, page) => ({
    text: `Page number ${page + 1} of the rules. The committee approved.`,
  }));
  pages[4] = { text: 'Dogs must be kept on a leash in the harbour area.' };
  await addFile(client, id, pdfOf(pages), 'rules.pdf', 'application/pdf');
  await addFile(
    client,
    id,
    '# Peraturan pelabuhan\n\nKapal yang berlabuh harus membayar biaya tambat setiap hari.\n\n# Jam kerja\n\nKantor dibuka pukul delapan pagi.',
    'peraturan.md',
    'text/markdown',
  );
  await addFile(client, id, `Invoice INV-2024/0091 was paid in May.\n${FILLER.repeat(80)}`, 'invoices.txt');
  await addFile(client, id, 'The WHO visited us in June.', 'visit.txt');
  const rows = Array.from({ length: 400 }, (_, row) => `Berth ${row},${row * 10},${row % 2 ? 'free' : 'taken'}`);
  await addFile(client, id, ['Berth,Fee in euros,State', ...rows].join('\n'), 'berths.csv', 'text/csv');
  for (const name of ['minutes', 'more minutes', 'other minutes'])
    await addFile(client, id, `${name}. ${FILLER.repeat(60)}`, `${name}.txt`);
  const files = await filesRead(client, id);
  expect(files.map(({ state }) => state)).toEqual(files.map(() => 'ready'));
});

afterAll(async () => {
  await harness.close();
  await database.drop();
});

const first = async (query: string): Promise<SearchHit | undefined> => (await searchIn(client, id, query))[0];

/** Adds 2,100 passages with these words to a file with one. */
async function addCommon(projectId: number, fileId: string, ...words: string[]): Promise<void> {
  await harness.dataSource.query(
    `insert into project_chunk (project_id, file_id, index, section, start, "end", text, search)
     select $1::int, $2::uuid, n, 0, 0, 1, 'The committee met.', array_to_tsvector($3::text[]) from generate_series(1, 2100) n`,
    [projectId, fileId, words.map((word) => `${projectId} ${word}`)],
  );
  await harness.dataSource.query('update project_file set chunks = 2101 where file_id = $1', [fileId]);
}

describe('a search in a project', () => {
  it.each([
    ['Where must dogs be on a leash?', 'rules.pdf', 'page 5'],
    ['keeping a dog leashed', 'rules.pdf', 'page 5'],
    ['berapa biaya tambatnya kapal', 'peraturan.md', 'Peraturan pelabuhan'],
    ['kantor buka jam berapa?', 'peraturan.md', 'Jam kerja'],
    ['what about invoice INV-2024/0091', 'invoices.txt', ''],
    ['inv 2024 0091', 'invoices.txt', ''],
    ['inv20240091', 'invoices.txt', ''],
    ['INV-2024-0092', 'invoices.txt', ''],
    ['What was paid for INV-2024-0092 in the year 2031?', 'invoices.txt', ''],
    ['Where is the WHO?', 'visit.txt', ''],
  ])('finds the right file and place for "%s"', async (query, name, label) => {
    expect(await first(query)).toMatchObject({ name, label });
  });

  it('names file, section, label and quote of each hit, the best first', async () => {
    const hits = await searchIn(client, id, 'dogs leash committee');
    expect(hits[0]).toEqual({
      fileId: expect.any(String),
      name: 'rules.pdf',
      section: 4,
      label: 'page 5',
      quote: 'Dogs must be kept on a leash in the harbour area.',
      score: expect.any(Number),
    });
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(hits.length).toBeLessThanOrEqual(10);
  });

  it('gives at most three passages of a file at first', async () => {
    const hits = await searchIn(client, id, 'the committee approved the minutes');
    for (const { fileId } of hits.slice(0, 6))
      expect(hits.slice(0, 6).filter((hit) => hit.fileId === fileId).length).toBeLessThanOrEqual(3);
    expect(new Set(hits.map(({ fileId }) => fileId)).size).toBeGreaterThan(2);
  });

  it('shows each piece of a long table with its header', async () => {
    const hit = await first('berth 399');
    expect(hit).toMatchObject({ name: 'berths.csv' });
    expect(hit!.quote).toMatch(/^Berth,Fee in euros,State\n/);
    expect(hit!.quote).toContain('Berth 399,3990,free');
  });

  it.each(['', ' ', '???', "'; drop table project_chunk; --", '\\', "a'b & !c | (d:*", '🐕'.repeat(200), 'zzzunknown'])(
    'takes any text: %j',
    async (query) => {
      const answer = await client.get<SearchHit[]>(`${PROJECTS}/${id}/search?q=${encodeURIComponent(query)}`);
      expect(answer.status).toBe(200);
    },
  );

  it('takes a text of the longest size, of words and of codes', async () => {
    const long = (piece: (at: number) => string) => Array.from({ length: 400 }, (_, at) => piece(at)).join(' ');
    for (const query of [long((at) => `word${at}x`), long((at) => `INV-${2024 + at}/0091`), 'x'.repeat(8_000)])
      expect((await client.get(`${PROJECTS}/${id}/search?q=${encodeURIComponent(query)}`)).status).toBe(200);
    expect(await first(long((at) => `INV-2024/${91 + at}`.replace('/', '/00')))).toMatchObject({
      name: 'invoices.txt',
    });
  });

  it.each([
    'x',
    '款',
    '"',
    "'",
    '\\',
    '\\"',
    '<',
    '🐕',
    'é',
    'ก',
    '"ab" ',
    'aaaaaaaaaaaa ',
    'ab1 ',
    '§ 1 ',
    '怎么申请退款 ',
  ])('takes a question of two thousand characters of %j', async (piece) => {
    const question = piece.repeat(2_000).slice(0, 2_000);
    await expect(harness.app.get(ProjectSearch).chunks(id, question, { userId })).resolves.toEqual(expect.any(Array));
  });

  it('takes words as long as Postgres indexes them', async () => {
    // 2,046 bytes, to which the project is added.
    for (const question of ['ж'.repeat(1_023), 'क'.repeat(682), `${'x'.repeat(1_500)} dogs`])
      await expect(harness.app.get(ProjectSearch).chunks(id, question, { userId })).resolves.toEqual(expect.any(Array));
    const { id: own } = await createProject(client);
    await addFile(client, own, `${'ж'.repeat(1_023)} ${'x'.repeat(2_000)} harbour ${'क'.repeat(700)}`, 'long.txt');
    expect((await filesRead(client, own))[0]).toMatchObject({ state: 'ready' });
    expect(await searchIn(client, own, 'harbour')).toHaveLength(1);
  });

  it('finds the same again when the words that most passages have are known', async () => {
    const { id: own } = await createProject(client);
    await addFile(client, own, 'The committee opened the harbour.', 'harbour.txt');
    await addFile(client, own, 'The committee met.', 'minutes.txt');
    const minutes = (await filesRead(client, own)).find(({ name }) => name === 'minutes.txt');
    await addCommon(own, minutes!.id, 'committee', 'met');
    const questions = ['committee harbour', 'committee', 'committee met', 'committee met harbors'];
    const ask = async () => Promise.all(questions.map((question) => searchIn(client, own, question)));
    const first = await ask();
    expect(first.map(({ length }) => length)).toEqual([1, 10, 10, 10]);
    expect(first[0]![0]!.name).toBe('harbour.txt');
    expect(await ask()).toEqual(first);
    // A word that was not looked for is not remembered anew, or it would be for ever.
    const known = { projectId: own, ...askedWords('committee met'), codes: [], common: ['committee'] };
    const [found] = await harness.dataSource.query<FoundByWords[]>(...searchChunks(known));
    expect(found!.common).toEqual(['met']);
  });

  it('ranks rightly when the passages with the known words were deleted meanwhile', async () => {
    const { id: own } = await createProject(client);
    await addFile(client, own, 'The committee met at the harbour.', 'harbour.txt');
    await addFile(client, own, 'The committee rested.', 'minutes.txt');
    const files = await filesRead(client, own);
    await addCommon(own, files.find(({ name }) => name === 'minutes.txt')!.id, 'committee', 'met');
    expect(await searchIn(client, own, 'committee met')).toHaveLength(10);
    await harness.dataSource.query('delete from project_chunk where project_id = $1 and index > 0', [own]);
    await harness.dataSource.query('update project_file set chunks = 1 where project_id = $1', [own]);
    const hits = await searchIn(client, own, 'committee met');
    expect(hits.map(({ name }) => name)).toEqual(['harbour.txt', 'minutes.txt']);
    expect(hits.every(({ score }) => score > 0)).toBe(true);
    // Words that only some passages have count beside others again.
    expect(await searchIn(client, own, 'committee harbour')).toHaveLength(2);
  });

  describe('in all languages', () => {
    let languages: number;

    beforeAll(async () => {
      ({ id: languages } = await createProject(client));
      for (const [name, text] of Object.entries({
        'zh.txt': '客户可以在三十天内申请退款。运费由客户承担。',
        'ja.txt': '有給休暇は年に二十日あります。申請は上司に出してください。',
        'ko.txt': '환불은 삼십 일 안에 신청해야 합니다.',
        'th.txt': 'พนักงานลาพักร้อนได้ปีละสิบวัน',
        'ar.txt': 'يجب تسليم العَقْدِ الموقَّع قبل نهاية الشهر.',
        'de.txt': 'Die Kündigungsfrist beträgt drei Monate. Verträge enden nach § 12 Abs. 3.',
        'es.txt': 'La devolución del depósito tarda una semana.',
        'ru.txt': 'Отпуск ещё не согласован с руководителем.',
        'codes.txt': 'Certified by ISO 9001 and EN-50126. See § 5 and Article 7. The <limit> is 3.14/day.',
        'other.txt': 'See § 55 and Article 77. Certified by nobody.',
      }))
        await addFile(client, languages, text, name);
      await filesRead(client, languages);
    });

    it.each([
      ['怎么申请退款', 'zh.txt'],
      ['退款', 'zh.txt'],
      ['运', 'zh.txt'],
      ['有給休暇は何日ですか', 'ja.txt'],
      ['환불', 'ko.txt'],
      ['ลาพักร้อน', 'th.txt'],
      ['عقد موقع', 'ar.txt'],
      ['Kündigung', 'de.txt'],
      ['kundigungsfristen', 'de.txt'],
      ['Kuendigung', 'de.txt'],
      ['Frist', 'de.txt'],
      ['Fristen', 'de.txt'],
      ['VERTRAG', 'de.txt'],
      ['devoluciones de depositos', 'es.txt'],
      ['отпуска еще', 'ru.txt'],
      ['ISO-9001', 'codes.txt'],
      ['iso9001', 'codes.txt'],
      ['EN 50126', 'codes.txt'],
      ['§ 12', 'de.txt'],
      ['§5', 'codes.txt'],
      ['what does art. 7 say', 'codes.txt'],
      ['limit', 'codes.txt'],
      ['ｉｓｏ　９００１', 'codes.txt'],
    ])('finds %j', async (query, name) => {
      expect((await searchIn(client, languages, query))[0]).toMatchObject({ name });
    });

    it('finds the passage with a quoted phrase first', async () => {
      const { id: quoted } = await createProject(client);
      await addFile(client, quoted, 'Notice: the notice period of the lease of the period is long.', 'a.txt');
      await addFile(
        client,
        quoted,
        `It ends with a Notice\nPeriod of two weeks. ${'Nothing else here. '.repeat(20)}`,
        'b.txt',
      );
      await addFile(client, quoted, 'The period and the notice of the lease of two weeks.', 'c.txt');
      await filesRead(client, quoted);
      const names = async (query: string) => (await searchIn(client, quoted, query)).map(({ name }) => name);
      expect((await names('“notice period of two weeks”'))[0]).toBe('b.txt');
      expect((await names('lease "notice period of the lease"'))[0]).toBe('a.txt');
    });
  });

  it('finds a date however it is written', async () => {
    const { id: dated } = await createProject(client);
    await addFile(client, dated, 'The board met on May 3, 2024 and elected a chair.', 'may.txt');
    await addFile(client, dated, 'The board met on 5 June 2024 and elected a treasurer.', 'june.txt');
    await filesRead(client, dated);
    for (const query of ['board of 2024-05-03', 'rapat 3 Mei 2024', 'board met on 03.05.2024'])
      expect((await searchIn(client, dated, query))[0]).toMatchObject({ name: 'may.txt' });
  });

  it('prefers words with a meaning to rarer ones without', async () => {
    const { id: mixed } = await createProject(client);
    for (const at of [1, 2, 3]) await addFile(client, mixed, `Ducks eat grass in pond ${at}.`, `ducks ${at}.txt`);
    await addFile(client, mixed, 'What do you do when it rains?', 'rain.txt');
    for (const at of [1, 2, 3, 4, 5, 6, 7]) await addFile(client, mixed, `Peraturan nomor ${at}.`, `aturan ${at}.txt`);
    await filesRead(client, mixed);
    expect((await searchIn(client, mixed, 'What do ducks eat?'))[0]?.name).toMatch(/^ducks/);
  });

  it('prefers a page to the table of contents that names it', async () => {
    const { id: manual } = await createProject(client);
    const headings = ['Paper trays', 'Date and time', 'Default copy settings', 'Network address'];
    const contents = headings.map((heading, at) => `${heading} ........ ${at + 2}`).join('\n');
    const pages = headings.map((heading) => ({ text: `${heading}. Touch Tools to change the settings.` }));
    await addFile(client, manual, pdfOf([{ text: contents }, ...pages]), 'manual.pdf', 'application/pdf');
    await filesRead(client, manual);
    expect((await searchIn(client, manual, 'date and time'))[0]).toMatchObject({ label: 'page 3' });
  });

  it('does not let a long file hide a short one', async () => {
    const { id: uneven } = await createProject(client);
    const rule = (at: number) => `# Rule ${at}\n\nThe harbour fee for boats is due on day ${at}.`;
    await addFile(client, uneven, Array.from({ length: 300 }, (_, at) => rule(at)).join('\n\n'), 'rules.md');
    await filesRead(client, uneven);
    await addFile(client, uneven, 'The harbour fee for boats is waived in May.', 'news.txt');
    await filesRead(client, uneven);
    const names = (await searchIn(client, uneven, 'harbour fee for boats')).map(({ name }) => name);
    expect(names.slice(0, 4)).toContain('news.txt');
  });

  it('finds chunks by words that all have, beside one that none has', async () => {
    const { id: common } = await createProject(client);
    const line = (at: number) => `# ${at}\n\nThe committee approved.`;
    await addFile(client, common, Array.from({ length: 2_200 }, (_, at) => line(at)).join('\n\n'), 'minutes.md');
    await filesRead(client, common);
    expect((await searchIn(client, common, 'committee approved zzzunknown')).length).toBe(10);
  });

  it('looks at the end of a long text too, where it asks', async () => {
    const pasted = 'A note about nothing that matters. '.repeat(200);
    expect(await first(`${pasted} Where must dogs be on a leash?`)).toMatchObject({ name: 'rules.pdf' });
  });

  it('leaves the connections to other work, however many search at once', async () => {
    await withConnection(database, async (other) => {
      await other.query('begin; lock table project_chunk in access exclusive mode');
      const searches = Array.from({ length: 20 }, () => searchIn(client, id, 'dogs leash'));
      await waitForLockWait(database);
      expect((await client.get(`${PROJECTS}/${id}`)).status).toBe(200);
      expect(await lockWaits(database)).toBeLessThanOrEqual(2);
      await other.query('rollback');
      for (const hits of await Promise.all(searches)) expect(hits[0]).toMatchObject({ name: 'rules.pdf' });
    });
  });

  it('finds nothing of other projects', async () => {
    const other = await createProject(client);
    await addFile(client, other.id, 'A dog sleeps. Case INV-2024/0091.', 'dog.txt');
    await filesRead(client, other.id);
    expect((await searchIn(client, other.id, 'dogs leash INV-2024/0091')).map(({ name }) => name)).toEqual(['dog.txt']);
    expect((await searchIn(client, id, 'dogs')).map(({ name }) => name)).not.toContain('dog.txt');
  });
});
