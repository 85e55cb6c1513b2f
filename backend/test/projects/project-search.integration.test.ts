import type { SearchHit } from '@tanya/contract';
import { pdfOf } from '../files/scanned-pdf.js';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { addFile, createProject, filesRead, PROJECTS, searchIn } from './project-harness.js';

let harness: ChatHarness;
let client: HttpClient;
let id: number;

const FILLER = 'The committee met again and the members of the committee approved the minutes. ';

beforeAll(async () => {
  harness = await startChatHarness({ redis: false, timings: { projectQueue: 200 } });
  ({ client } = await harness.member());
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

afterAll(() => harness.close());

const first = async (query: string): Promise<SearchHit | undefined> => (await searchIn(client, id, query))[0];

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

  it('finds nothing of other projects', async () => {
    const other = await createProject(client);
    await addFile(client, other.id, 'A dog sleeps. Case INV-2024/0091.', 'dog.txt');
    await filesRead(client, other.id);
    expect((await searchIn(client, other.id, 'dogs leash INV-2024/0091')).map(({ name }) => name)).toEqual(['dog.txt']);
    expect((await searchIn(client, id, 'dogs')).map(({ name }) => name)).not.toContain('dog.txt');
  });
});
