import type { EmbeddingCost, ProjectDetails, ProjectFile } from '@tanya/contract';
import { EmbeddingStore } from '../../src/projects/embedding/embedding-store.js';
import { EmbeddingQueue } from '../../src/projects/embedding/embedding-queue.js';
import { startChatHarness, type ChatHarness } from '../harness/chat-harness.js';
import type { HttpClient } from '../harness/http-client.js';
import { waitUntil } from '../harness/wait-until.js';
import { changeUser, moneyIn } from '../quota/budget-harness.js';
import { setPrices } from '../quota/usage-harness.js';
import { addEmbeddingModel, Embedder, setEmbeddingModel } from './embedder.js';
import { addFile, createProject, filesOf, filesRead, PROJECTS, searchIn, setMembers } from './project-harness.js';

const MODEL = 'tests/vectors';
const OTHER = 'tests/other-vectors';

/** Three files of which each is about one thing, in words that no question here has. */
const FILES = {
  'pets.md': 'A dog sleeps beside the door.',
  'pay.md': 'Each wage is paid on Friday.',
  'sea.md': 'Boats leave the harbour at noon.',
};

let embedder: Embedder;
let harness: ChatHarness;
let admin: HttpClient;

beforeAll(async () => {
  embedder = await Embedder.start();
  harness = await startChatHarness({ redis: false, timings: { projectQueue: 100 }, sharedUpstream: embedder.upstream });
  admin = await harness.admin();
  for (const model of [MODEL, OTHER]) {
    await addEmbeddingModel(admin, model);
    await setPrices(harness, { prompt: '0.000001', completion: '0' }, model);
  }
});

beforeEach(async () => {
  embedder.failure = null;
  embedder.delay = 0;
  embedder.refuses = () => false;
  embedder.size = 64;
  await setEmbeddingModel(admin, MODEL);
});

afterEach(() => harness.settle());

afterAll(async () => {
  await harness.close();
  await embedder.upstream.close();
});

interface Made {
  client: HttpClient;
  id: number;
  userId: number;
}

async function withFiles(files: Readonly<Record<string, string>> = FILES): Promise<Made> {
  const { client, user } = await harness.member({ isPremium: true });
  const { id } = await createProject(client);
  for (const [name, text] of Object.entries(files)) await addFile(client, id, text, name, 'text/markdown');
  const read = await filesRead(client, id);
  expect(read.map(({ state }) => state)).toEqual(read.map(() => 'ready'));
  return { client, id, userId: user.id };
}

const untilSemantic = ({ client, id }: Made, isSemantic = true): Promise<void> =>
  waitUntil('the vectors of the files', async () =>
    (await filesOf(client, id)).every((file) => file.isSemantic === isSemantic),
  );

const namesFor = async ({ client, id }: Made, query: string): Promise<string[]> =>
  (await searchIn(client, id, query)).map(({ name }) => name);

/** Usage records of the model, as the ledger has them. */
const records = (owner: string): Promise<{ cost: number; state: string; costUsd: string; modelId: string }[]> =>
  harness.dataSource.query(
    `select cost, state, cost_usd::text as "costUsd", model_id as "modelId" from usage_record
     where owner = $1 and model_id like 'tests/%' order by id`,
    [owner],
  );

const vectorsOf = async (projectId: number): Promise<{ modelId: string; count: number }[]> =>
  harness.dataSource.query(
    `select s.model_id as "modelId", count(*)::int as count from project_vector_bits b join embedding_set s on s.id = b.set_id
     join project_vector v on v.set_id = b.set_id and v.chunk_id = b.chunk_id where b.project_id = $1 group by s.model_id order by 1`,
    [projectId],
  );

it('embeds files that were added while there was no model after newer ones', async () => {
  await setEmbeddingModel(admin, null);
  const { id } = await withFiles();
  // A new upload is due at -infinity.
  const due = `select isfinite(embedding_due_at) as waits from project_file where project_id = $1`;
  expect(await harness.dataSource.query(due, [id])).toEqual([{ waits: true }, { waits: true }, { waits: true }]);
});

describe('the setting of the embedding model', () => {
  it('takes a listed model of the kind embedding, and null', async () => {
    const change = (embeddingModelId: unknown) => admin.patch('/api/admin/general-settings', { embeddingModelId });
    for (const wrong of ['nobody/knows-it', 'openai/gpt-4o-mini', 7])
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 400]);
    expect((await change(null)).body).toMatchObject({ embeddingModelId: null });
    expect((await change(OTHER)).body).toMatchObject({ embeddingModelId: OTHER });
  });

  it('tells members of a project what a file costs', async () => {
    const { client } = await harness.member();
    const { id } = await createProject(client);
    const details = async () => (await client.get<ProjectDetails>(`${PROJECTS}/${id}`)).body.embedding;
    expect(await details()).toEqual({ name: MODEL, usdPerMillionTokens: '1' });
    await setEmbeddingModel(admin, null);
    expect(await details()).toBeNull();
  });

  it('tells admins what the vectors of the present files cost the site', async () => {
    await setEmbeddingModel(admin, null);
    const made = await withFiles({ 'a.md': 'a'.repeat(3_000) });
    const cost = async () => (await admin.get<EmbeddingCost>(`/api/admin/embeddings?modelId=${MODEL}`)).body;
    const { files, tokens, usd } = await cost();
    expect(files).toBeGreaterThan(0);
    expect(tokens).toBeGreaterThanOrEqual(1_000);
    expect(Number(usd)).toBeCloseTo(tokens / 1_000_000, 9);
    await setEmbeddingModel(admin, MODEL);
    await untilSemantic(made);
    await waitUntil('the vectors of all files', async () => (await cost()).files === 0);
    expect(await cost()).toEqual({ files: 0, tokens: 0, usd: '0' });
    expect((await admin.get('/api/admin/embeddings?modelId=openai/gpt-4o-mini')).status).toBe(400);
  });
});

describe('files of a project with an embedding model', () => {
  it('are found by their meaning', async () => {
    const made = await withFiles();
    await untilSemantic(made);
    expect((await namesFor(made, 'hound'))[0]).toBe('pets.md');
    expect((await namesFor(made, 'gaji'))[0]).toBe('pay.md');
    expect((await searchIn(made.client, made.id, 'anjing'))[0]).toMatchObject({
      name: 'pets.md',
      section: 0,
      quote: 'A dog sleeps beside the door.',
      score: expect.any(Number),
    });
  });

  it('are found by words, codes and meaning together, at most three passages of a file at first', async () => {
    const made = await withFiles({ ...FILES, 'invoice.md': 'Invoice INV-2024/0091 is due.' });
    await untilSemantic(made);
    expect((await namesFor(made, 'INV-2024/0091'))[0]).toBe('invoice.md');
    expect((await namesFor(made, 'boats and the harbour'))[0]).toBe('sea.md');
  });

  it('cost their uploader USD and no message, and a question its asker', async () => {
    const made = await withFiles();
    await untilSemantic(made);
    const reader = await harness.member();
    await setMembers(made.client, made.id, { [reader.user.username]: 'viewer' });
    await searchIn(reader.client, made.id, 'hound');
    const uploads = await records(`user:${made.userId}`);
    expect(uploads.length).toBeGreaterThan(0);
    for (const record of uploads) expect(record).toMatchObject({ cost: 0, state: 'charged', modelId: MODEL });
    expect(uploads.reduce((sum, { costUsd }) => sum + Number(costUsd), 0)).toBeCloseTo(0.000_03);
    expect(await records(`user:${reader.user.id}`)).toEqual([
      { cost: 0, state: 'charged', costUsd: '0.000010000000', modelId: MODEL },
    ]);
  });

  it('are announced to every page of the members when their embedding ends or fails', async () => {
    embedder.failure = { status: 500, body: '{}' };
    const { client, page } = await harness.memberPage({ isPremium: true });
    const member = await harness.memberPage();
    const { id } = await createProject(client);
    await setMembers(client, id, { [member.user.username]: 'viewer' });
    // What each page reads when it hears of a change, and nothing in between.
    const pages = [page, await harness.page(client), member.page].map(({ socket }) => {
      const read = { files: [] as ProjectFile[] };
      socket.on('project:changed', () => void filesOf(client, id).then((files) => (read.files = files)));
      return read;
    });
    const all = (condition: (file?: ProjectFile) => boolean) => async () =>
      pages.every(({ files }) => condition(files[0]));
    await addFile(client, id, 'A dog sleeps beside the door.', 'pets.md');
    await waitUntil(
      'the notice on all pages',
      all((file) => file?.notice !== undefined),
    );
    embedder.failure = null;
    await waitUntil(
      'the vectors on all pages',
      all((file) => file?.isSemantic === true),
    );
  });

  it('leave no vectors behind when they are deleted', async () => {
    const made = await withFiles();
    await untilSemantic(made);
    const [file] = await filesOf(made.client, made.id);
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 3 }]);
    expect((await made.client.delete(`${PROJECTS}/${made.id}/files/${file!.id}`)).status).toBe(200);
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 2 }]);
    await made.client.delete(`${PROJECTS}/${made.id}`);
    expect(await vectorsOf(made.id)).toEqual([]);
  });

  it('are embedded in calls of many texts, with their names and headings', async () => {
    const before = embedder.models.length;
    const text = Array.from({ length: 100 }, (_, at) => `# Part ${at}\n\nSentence ${at}.`).join('\n\n');
    const made = await withFiles({ 'long.md': text });
    await untilSemantic(made);
    expect(embedder.models.length - before).toBe(2);
    expect(embedder.texts).toContain('long.md Part 7\nSentence 7.');
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 100 }]);
  });
});

describe('without vectors', () => {
  /** Ends the pause before files are tried again. */
  const endPause = (projectId: number): Promise<unknown> =>
    harness.dataSource.query(
      'update project_file set embedding_due_at = now() where project_id = $1 and embedding_notice is not null',
      [projectId],
    );

  const notices = (files: ProjectFile[]): unknown[] => files.map((file) => file.notices?.map(({ code }) => code));

  it('files are found by their words, and get vectors at the cost of the site with the first model', async () => {
    await setEmbeddingModel(admin, null);
    const made = await withFiles();
    expect((await filesOf(made.client, made.id)).map(({ isSemantic, notice }) => [isSemantic, notice])).toEqual([
      [false, undefined],
      [false, undefined],
      [false, undefined],
    ]);
    expect((await namesFor(made, 'wage'))[0]).toBe('pay.md');
    const before = (await records('site')).length;
    await setEmbeddingModel(admin, MODEL);
    await untilSemantic(made);
    expect((await namesFor(made, 'gaji'))[0]).toBe('pay.md');
    expect((await records('site')).length).toBeGreaterThan(before);
    expect(await records(`user:${made.userId}`)).toHaveLength(1);
    await setEmbeddingModel(admin, null);
    await untilSemantic(made, false);
    expect(await namesFor(made, 'gaji')).toEqual([]);
  });

  it.each([
    ['fails', { status: 500, body: '{}' }, 'embedding_failed'],
    ['has another key', { status: 401, body: '{}' }, 'embedding_failed'],
    ['answers with nonsense', { body: '{"data":[{"embedding":"AAAA"}]}' }, 'embedding_length'],
    ['answers with too few vectors', { body: '{"data":[]}' }, 'embedding_length'],
    [
      'answers with vectors of several sizes',
      { body: '{"data":[{"index":0,"embedding":"AACAPwAAgD8="},{"index":1,"embedding":"AACAPw=="}]}' },
      'embedding_length',
    ],
    ['answers with NaN', { body: '{"data":[{"embedding":"AADAfw=="}]}' }, 'embedding_length'],
  ])('a file is ready with a notice while the model %s, and tried again', async (_title, failure, code) => {
    embedder.failure = failure;
    const files = failure.body.includes('index')
      ? { 'a.md': '# One\n\nHound one.\n\n# Two\n\nTwo.' }
      : { 'a.md': 'One hound.' };
    const made = await withFiles(files);
    await waitUntil('a notice', async () => (await filesOf(made.client, made.id))[0]!.notice !== undefined);
    const read = await filesOf(made.client, made.id);
    expect(notices(read)).toEqual([[code]]);
    expect(read[0]).toMatchObject({ state: 'ready', isSemantic: false });
    expect(await namesFor(made, 'hound')).toContain('a.md');
    embedder.failure = null;
    await endPause(made.id);
    await untilSemantic(made);
    expect((await filesOf(made.client, made.id))[0]!.notice).toBeUndefined();
  });

  it('a file is ready with a notice while its embedding does not fit into the budget of its uploader', async () => {
    const { client, user } = await harness.member({ isPremium: true });
    await changeUser(harness, user.id, { budgetUsd: '0.000001' });
    const { id } = await createProject(client);
    await addFile(client, id, 'A dog sleeps beside the door.', 'pets.md');
    await filesRead(client, id);
    await waitUntil('a notice', async () => (await filesOf(client, id))[0]!.notice !== undefined);
    expect(notices(await filesOf(client, id))).toEqual([['embedding_budget']]);
    expect((await searchIn(client, id, 'dog')).map(({ name }) => name)).toEqual(['pets.md']);
    await changeUser(harness, user.id, { budgetUsd: '1' });
    await endPause(id);
    await untilSemantic({ client, id, userId: user.id });
    expect(Number((await moneyIn(harness, `user:${user.id}`)).spentUsd)).toBeGreaterThan(0);
  });

  it('a file of a node that died is continued by another one, without the chunks that have their vectors', async () => {
    let calls = 0;
    embedder.refuses = () => (calls += 1) > 1;
    const text = Array.from({ length: 100 }, (_, at) => `# Part ${at}\n\nSentence ${at}.`).join('\n\n');
    const made = await withFiles({ 'long.md': text });
    await waitUntil('a part of the vectors', async () => (await vectorsOf(made.id))[0]?.count === 64);
    await waitUntil('the failure', async () => (await filesOf(made.client, made.id))[0]!.notice !== undefined);
    embedder.texts.length = 0;
    embedder.refuses = () => false;
    // The lease of the node that is gone.
    await harness.dataSource.query(
      `update project_file set embedding_attempts = embedding_attempts + 1, embedding_due_at = now() + interval '1 second'
       where project_id = $1`,
      [made.id],
    );
    await untilSemantic(made);
    expect(embedder.texts).toHaveLength(36);
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 100 }]);
  });

  it('a file that another node embeds is left to it, though it failed before', async () => {
    embedder.failure = { status: 500, body: '{}' };
    const made = await withFiles({ 'a.md': 'One hound.' });
    await waitUntil('a notice', async () => (await filesOf(made.client, made.id))[0]!.notice !== undefined);
    embedder.failure = null;
    const lease = `update project_file set embedding_attempts = embedding_attempts + 1,
      embedding_due_at = now() + make_interval(secs => $2) where project_id = $1 returning embedding_due_at as due`;
    const [[{ due }]] = await harness.dataSource.query<[[{ due: Date }]]>(lease, [made.id, 990]);
    await harness.app.get(EmbeddingStore).retryNow(1_000);
    const dueNow = 'select embedding_due_at as due from project_file where project_id = $1';
    expect(await harness.dataSource.query(dueNow, [made.id])).toEqual([{ due }]);
    // One that waits for its next try has another moment.
    await harness.dataSource.query(lease, [made.id, 2_000]);
    await harness.app.get(EmbeddingQueue)['lookAgain']();
    await untilSemantic(made);
  });

  it('a text that the model refuses does not make those before it cost once more with each try', async () => {
    // Also what is left of it after each cut.
    embedder.refuses = (texts) => texts.some((text) => 'long.md Part 45\nOdd.'.startsWith(text));
    const parts = Array.from({ length: 60 }, (_, at) => `# Part ${at}\n\n${at === 45 ? 'Odd' : 'Even'}.`);
    const made = await withFiles({ 'long.md': parts.join('\n\n') });
    await waitUntil('a notice', async () => (await filesOf(made.client, made.id))[0]!.notice !== undefined);
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 45 }]);
    const cost = async () =>
      (await records(`user:${made.userId}`)).reduce((sum, { costUsd }) => sum + Number(costUsd), 0);
    const before = await cost();
    const again = 'select embedding_failures > 1 as again from project_file where project_id = $1';
    await endPause(made.id);
    await waitUntil('another try', async () => {
      const [row] = await harness.dataSource.query<[{ again: boolean }]>(again, [made.id]);
      return row.again;
    });
    expect(await cost()).toBe(before);
  });

  it('a file that is deleted while it is embedded leaves nothing', async () => {
    embedder.delay = 1_500;
    const made = await withFiles({ 'a.md': 'A dog.' });
    await waitUntil('a call', async () => embedder.texts.some((text) => text.includes('A dog.')));
    const [file] = await filesOf(made.client, made.id);
    await made.client.delete(`${PROJECTS}/${made.id}/files/${file!.id}`);
    await waitUntil('the end of the call', async () => (await records(`user:${made.userId}`))[0]?.state === 'charged');
    expect(await vectorsOf(made.id)).toEqual([]);
    expect(await filesOf(made.client, made.id)).toEqual([]);
  });

  it('a search goes on by words when the vector of its question fails, is too slow, or has another length', async () => {
    const made = await withFiles();
    await untilSemantic(made);
    for (const failure of [
      { status: 500, body: '{}' },
      { delay: 20_000, body: '{}' },
    ]) {
      embedder.failure = failure;
      expect(await namesFor(made, 'wage')).toEqual(['pay.md']);
    }
    embedder.failure = null;
    embedder.size = 32;
    expect(await namesFor(made, 'wage')).toEqual(['pay.md']);
  });

  it('a model that takes fewer and shorter texts at once gets them so', async () => {
    embedder.refuses = (texts) => texts.length > 2 || texts.some((text) => text.length > 200);
    const long = Array.from({ length: 40 }, (_, at) => `Sentence ${at}.`).join(' ');
    const made = await withFiles({ 'a.md': `# One\n\nHound one.\n\n# Two\n\nTwo.\n\n# Three\n\n${long}` });
    await untilSemantic(made);
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 3 }]);
  });
});

describe('another embedding model', () => {
  it('serves when all files have its vectors; until then the old ones stay', async () => {
    const made = await withFiles();
    await untilSemantic(made);
    const { length } = embedder.models;
    embedder.failure = { status: 500, body: '{}' };
    await setEmbeddingModel(admin, OTHER);
    await waitUntil('a call of the new model', async () => embedder.models.slice(length).includes(OTHER));
    expect((await filesOf(made.client, made.id)).map(({ isSemantic }) => isSemantic)).toEqual([true, true, true]);
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 3 }]);
    embedder.failure = null;
    embedder.models.length = 0;
    expect((await namesFor(made, 'hound'))[0]).toBe('pets.md');
    expect(embedder.models).toContain(MODEL);
    const before = (await records(`user:${made.userId}`)).length;
    await waitUntil('the new vectors', async () => {
      const [only, ...others] = await vectorsOf(made.id);
      return others.length === 0 && only?.modelId === OTHER && only.count === 3;
    });
    await untilSemantic(made);
    expect(await records(`user:${made.userId}`)).toHaveLength(before);
    expect((await namesFor(made, 'hound'))[0]).toBe('pets.md');
    expect(embedder.models.at(-1)).toBe(OTHER);
  });

  it('under the same name, which sends vectors of another length, embeds all files again, once an hour at most', async () => {
    const made = await withFiles();
    await untilSemantic(made);
    embedder.size = 48;
    await addFile(made.client, made.id, 'A cat.', 'cat.md');
    await waitUntil('a notice', async () =>
      (await filesOf(made.client, made.id)).some(({ notice }) => notice !== undefined),
    );
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 3 }]);
    await harness.dataSource.query(`update embedding_set set since = since - interval '2 hours'`);
    await setEmbeddingModel(admin, MODEL);
    await untilSemantic(made);
    expect(await vectorsOf(made.id)).toEqual([{ modelId: MODEL, count: 4 }]);
    expect((await namesFor(made, 'hound'))[0]).toBe('pets.md');
  });
});
