import { setTimeout as sleep } from 'node:timers/promises';
import type { AdminModel, ProjectDetails, ProjectFile, SearchHit, Thread } from '@tanya/contract';
import { type Answer, HttpClient } from '../../harness/http-client.js';
import type { Fault } from '../fault.js';
import type { TestUser } from '../page/test-user.js';
import type { Scenario } from '../scenario.js';
import type { Trap } from '../server-node.js';
import { springTrap } from '../spring-trap.js';

/** Files of one crowd; 2,000 with `TANYA_FAULTS_FILES=2000`. */
const FILES = Number(process.env.TANYA_FAULTS_FILES ?? 60);

/** Uploads at once. */
const AT_ONCE = 20;

const PART = 'The committee met again and approved the minutes of the meeting before. ';

/** Some chunks with a word of their own in the last one. */
const textOf = (word: string): string => `${PART.repeat(80)}The fee is named ${word}.`;

/** The files and chats of one project, as its owner sees them. */
class SharedFiles {
  private constructor(
    readonly scenario: Scenario,
    readonly owner: TestUser,
    readonly id: number,
  ) {}

  static async create(scenario: Scenario): Promise<SharedFiles> {
    const owner = await scenario.harness.newMember();
    await owner.signIn();
    const { body } = await scenario.call(owner.browser, 'POST', '/api/projects', { name: 'Harbour' });
    return new SharedFiles(scenario, owner, (body as ProjectDetails).id);
  }

  get path(): string {
    return `/api/projects/${this.id}`;
  }

  upload(text: string, name: string, browser = this.owner.browser): Promise<Answer<ProjectFile>> {
    const form = new FormData();
    form.set('file', new Blob([text], { type: 'text/plain' }), name);
    return browser.send<ProjectFile>('POST', `${this.path}/files`, { raw: form });
  }

  /** Uploads a file until the server has it, as a person would: a lost answer may hide a stored file. */
  async add(text: string, name: string): Promise<void> {
    const isStored = async (): Promise<boolean> => {
      const answer = await this.upload(text, name).catch(() => null);
      return answer?.status === 201 || answer?.status === 409;
    };
    await this.scenario.until(isStored, `the upload of ${name}`);
  }

  async list(): Promise<ProjectFile[]> {
    const answer = await this.owner.browser.get<ProjectFile[]>(`${this.path}/files`).catch(() => null);
    return answer?.status === 200 ? answer.body : [];
  }

  /** Waits until this number of files is ready, and expects each chunk once. */
  async expectReady(count: number): Promise<void> {
    const isReady = async () => {
      const files = await this.list();
      return files.length === count && files.every(({ state }) => state === 'ready');
    };
    await this.scenario.until(isReady, `${count} files that are ready`, 60_000);
    const [row] = await this.scenario.harness.database.query<{ wrong: number; orphans: number }>(
      `select (select count(*)::int from project_file f where f.project_id = $1::int and f.chunks <>
          (select count(distinct c.index) from project_chunk c where c.file_id = f.file_id)) as wrong,
        (select count(*)::int from project_chunk c where c.project_id = $1::int and not exists
          (select from project_file f where f.file_id = c.file_id)) as orphans`,
      [this.id],
    );
    this.scenario.expect(row!.wrong === 0, `${row!.wrong} files have other chunks than they say`);
    this.scenario.expect(row!.orphans === 0, `${row!.orphans} chunks are left without their file`);
  }

  /** Waits until each file is found by its meaning, and expects one vector for each chunk. */
  async expectSemantic(): Promise<void> {
    const isSemantic = async () => (await this.list()).every((file) => file.isSemantic);
    await this.scenario.until(isSemantic, 'the vectors of the files', 60_000);
    const [row] = await this.scenario.harness.database.query<{ wrong: number }>(
      `select count(*)::int as wrong from project_chunk c join project p on p.id = c.project_id where p.id = $1::int
         and (select count(*) from project_vector v join project_vector_bits b using (set_id, chunk_id)
           where v.chunk_id = c.id and v.set_id = p.embedding_set_id) <> 1`,
      [this.id],
    );
    this.scenario.expect(row!.wrong === 0, `${row!.wrong} chunks have no vector`);
  }

  async expectFound(word: string, name: string): Promise<void> {
    const answer = await this.owner.browser.get<SearchHit[]>(`${this.path}/search?q=${word}`);
    this.scenario.expect(answer.body[0]?.name === name, `a search for ${word} found ${answer.body[0]?.name}`);
  }
}

async function restart(scenario: Scenario): Promise<void> {
  await sleep(50);
  for (const node of scenario.harness.nodes) if (!node.isUp) await node.start();
}

/** Statements of the reading of a file, from the claim to the end. */
const INDEXING = [
  'update project_file set attempts',
  'from project_file where file_id = .* for update',
  'insert into project_chunk',
  'update project_file set state',
];

const DIES = ['die before', 'die after'] as const satisfies Trap['action'][];

const indexingKilled: Fault = {
  id: 'F60',
  description: 'kill -9 of a node in a phase of the indexing of a file',
  on: ['many', 'one'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(INDEXING) };
    scenario.notes.push(`${trap.action} ${trap.sql}`);
    await springTrap(scenario, trap, () => files.upload(textOf('zebra'), 'fees.txt').catch(() => undefined));
    await restart(scenario);
    await files.add(textOf('zebra'), 'fees.txt');
    await files.expectReady(1);
    await files.expectFound('zebra', 'fees.txt');
  },
};

const crowdOfFiles: Fault = {
  id: 'F60a',
  description: 'many files are added at once, and a node is killed while they are read',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const [node] = scenario.harness.nodes;
    const killed = scenario.moment(100, 1_500).then(async () => {
      await node!.kill();
      await node!.start();
    });
    for (let first = 0; first < FILES; first += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, FILES - first) }, (_, at) => first + at);
      await Promise.all(some.map((at) => files.add(textOf(`word${at}x`), `file ${at}.txt`)));
    }
    await killed;
    await files.expectReady(FILES);
    const one = scenario.random.between(0, FILES - 1);
    await files.expectFound(`word${one}x`, `file ${one}.txt`);
  },
};

const fileDeleted: Fault = {
  id: 'F60b',
  description: 'a file is deleted while it is read, and another while an answer cites it',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { owner, path } = files;
    const { body: read } = await files.upload(textOf('zebra').repeat(20), 'long.txt');
    await scenario.moment(0, 150);
    const answer = await scenario.call(owner.browser, 'DELETE', `${path}/files/${read.id}`);
    scenario.expect(answer.status < 300, `the deletion got ${answer.status}`);
    await files.expectReady(0);
    const { body: cited } = await files.upload('A berth costs five euros.', 'fees.txt');
    await files.expectReady(1);
    const steps = [{ text: 'It costs five ' }, { text: 'euros [1], ' }, { text: 'and not [2] six.' }];
    const script = { pace: 80, steps: [...steps, { finish: 'stop' as const }, { done: true as const }] };
    const send = await scenario.taken({ user: owner, projectId: files.id, script, expected: null });
    await scenario.moment(0, 250);
    await scenario.call(owner.browser, 'DELETE', `${path}/files/${cited.id}`);
    const message = await scenario.end(send, 'complete');
    const sources = (message?.parts ?? []).filter((part) => part.type === 'source');
    scenario.expect(sources.length === 1, `the answer has ${sources.length} sources`);
    scenario.expect(!(message?.content ?? '').includes('[2]'), 'a number that nobody gave is in the answer');
    const gone = await scenario.call(owner.browser, 'GET', `${path}/files/${cited.id}`);
    scenario.expect(gone.status === 404, `the deleted file got ${gone.status}`);
  },
};

const memberRemoved: Fault = {
  id: 'F60c',
  description: 'a member is removed from a project in mid-answer',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { owner, path } = files;
    const member = await scenario.harness.newMember();
    await member.signIn();
    const setMembers = (members: object[]) => scenario.call(owner.browser, 'PUT', `${path}/members`, { members });
    await setMembers([{ userId: member.id, role: 'viewer' }]);
    const send = await scenario.shown({ user: member, projectId: files.id });
    await scenario.moment(0, 200);
    await setMembers([]);
    await scenario.end(send, 'complete');
    const found = await scenario.call(member.browser, 'GET', `/api/chat/threads/${send.started?.threadId}`);
    scenario.expect((found.body as Thread).projectId === null, 'the thread is still in the project');
    const foreign = await scenario.call(member.browser, 'GET', path);
    scenario.expect(foreign.status === 404, `the project got ${foreign.status}`);
    const next = await scenario.taken({ user: member, threadId: send.started?.threadId ?? null });
    await scenario.end(next, 'complete');
  },
};

const sameFileTwice: Fault = {
  id: 'F60d',
  description: 'one file is added on both nodes at once',
  on: ['many'],
  run: async (scenario) => {
    const files = await SharedFiles.create(scenario);
    const { address, browser } = files.owner;
    const uploads = scenario.harness.nodes.map(({ url }, at) =>
      files.upload(textOf('zebra'), `copy ${at}.txt`, new HttpClient(url, address, browser.cookies)),
    );
    const statuses = (await Promise.all(uploads)).map(({ status }) => status).toSorted((a, b) => a - b);
    scenario.expect(statuses.join() === '201,409', `the uploads got ${statuses.join()}`);
    await files.expectReady(1);
  },
};

/** What may be wrong with a model of embeddings. */
const TROUBLES = ['away', 'slow', 'without vectors', 'of another length', 'changed'] as const;

const EMBEDDING_MODELS = ['text-embedding-3-small', 'text-embedding-3-large'] as const;

const setEmbeddingModel = (scenario: Scenario, embeddingModelId: string | null) =>
  scenario.harness.asAdmin('PATCH', '/api/admin/general-settings', { embeddingModelId });

async function addEmbeddingModels(scenario: Scenario): Promise<void> {
  const { harness } = scenario;
  const { body: models } = await harness.admin.get<AdminModel[]>('/api/admin/models');
  for (const modelId of EMBEDDING_MODELS) {
    if (models.some((model) => model.modelId === modelId)) continue;
    const fields = { modelId, name: modelId, provider: 'openai', kind: 'embedding' };
    const { id } = (await harness.asAdmin('POST', '/api/admin/models', fields)) as AdminModel;
    await harness.asAdmin('PATCH', `/api/admin/models/${id}`, { pricing: { prompt: '0.000001', completion: '0' } });
  }
}

const isNothingHeld = async ({ harness }: Scenario): Promise<boolean> => {
  const held = `select from usage_record where state = 'held' limit 1`;
  return (await harness.database.query(held)).length === 0;
};

const embeddingInTrouble: Fault = {
  id: 'F60e',
  description: 'the model of embeddings is away, slow, of another length or changed, and a node is killed meanwhile',
  on: ['many'],
  run: async (scenario) => {
    const { harness, random } = scenario;
    const { embedder } = harness;
    await addEmbeddingModels(scenario);
    const [model, other] = EMBEDDING_MODELS;
    await setEmbeddingModel(scenario, model);
    const files = await SharedFiles.create(scenario);
    try {
      await files.add(textOf('zebra'), 'file 0.txt');
      await files.expectReady(1);
      await files.expectSemantic();
      const trouble = random.pick(TROUBLES);
      scenario.notes.push(trouble);
      if (trouble === 'away') embedder.failure = { status: 503, body: '{}' };
      if (trouble === 'slow') embedder.delay = 2_000;
      if (trouble === 'without vectors') embedder.failure = { body: '{"data":[]}' };
      if (trouble === 'of another length') embedder.size = 32;
      if (trouble === 'changed') await setEmbeddingModel(scenario, other);
      for (const at of [1, 2, 3]) await files.add(textOf(`word${at}x`), `file ${at}.txt`);
      await scenario.moment(0, 1_000);
      await random.pick(harness.nodes).kill();
      await files.expectReady(4);
      await files.expectFound('word2x', 'file 2.txt');
      await restart(scenario);
      Object.assign(embedder, { failure: null, delay: 0, size: 64 });
      // Whoever mends a model lets the files be tried again at once.
      await setEmbeddingModel(scenario, trouble === 'changed' ? other : model);
      await files.expectSemantic();
      await files.expectFound('word3x', 'file 3.txt');
    } finally {
      Object.assign(embedder, { failure: null, delay: 0, size: 64 });
      await restart(scenario);
      await setEmbeddingModel(scenario, null);
      await scenario.call(files.owner.browser, 'DELETE', files.path);
    }
    await scenario.until(() => isNothingHeld(scenario), 'the settlement of calls of a killed node');
  },
};

export const projectFaults: Fault[] = [
  indexingKilled,
  crowdOfFiles,
  fileDeleted,
  memberRemoved,
  sameFileTwice,
  embeddingInTrouble,
];
