import type { AdminModel } from '@tanya/contract';
import type { Fault } from '../fault.js';
import type { Scenario } from '../scenario.js';
import type { Trap } from '../server-node.js';
import { SharedFiles, textOf } from '../shared-files.js';
import { springTrap } from '../spring-trap.js';
import { DIES, restart } from './keeping-faults.js';

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

/** Runs `work` in a project with one embedded file, and puts everything back. */
async function withVectors(scenario: Scenario, work: (files: SharedFiles) => Promise<void>): Promise<void> {
  const { embedder } = scenario.harness;
  await addEmbeddingModels(scenario);
  await setEmbeddingModel(scenario, EMBEDDING_MODELS[0]);
  const files = await SharedFiles.create(scenario);
  try {
    await files.add(textOf('zebra'), 'file 0.txt');
    await files.expectReady(1);
    await files.expectSemantic();
    await work(files);
  } finally {
    Object.assign(embedder, WELL);
    await restart(scenario);
    await setEmbeddingModel(scenario, null);
    await scenario.call(files.owner.browser, 'DELETE', files.path);
  }
  await scenario.until(() => isNothingHeld(scenario), 'the settlement of calls of a killed node');
}

const WELL = { failure: null, delay: 0, size: 64 };

/** What may be wrong with a model of embeddings. */
const TROUBLES: Readonly<Record<string, [trouble: string, begin: (scenario: Scenario) => unknown]>> = {
  F61: ['away', ({ harness }) => (harness.embedder.failure = { status: 503, body: '{}' })],
  F61a: ['slow', ({ harness }) => (harness.embedder.delay = 2_000)],
  F61b: ['without vectors', ({ harness }) => (harness.embedder.failure = { body: '{"data":[]}' })],
  F61c: ['of another length', ({ harness }) => (harness.embedder.size = 32)],
  F61d: ['changed', (scenario) => setEmbeddingModel(scenario, EMBEDDING_MODELS[1])],
};

const inTrouble: Fault[] = Object.entries(TROUBLES).map(([id, [trouble, begin]]) => ({
  id,
  description: `the model of embeddings is ${trouble}, and a node is killed meanwhile`,
  on: ['many'],
  run: (scenario) =>
    withVectors(scenario, async (files) => {
      const { harness, random } = scenario;
      await begin(scenario);
      for (const at of [1, 2, 3]) await files.add(textOf(`word${at}x`), `file ${at}.txt`);
      await scenario.moment(0, 1_000);
      await random.pick(harness.nodes).kill();
      await files.expectReady(4);
      await files.expectFound('word2x', 'file 2.txt');
      await restart(scenario);
      Object.assign(harness.embedder, WELL);
      // Whoever mends a model lets the files be tried again at once.
      await setEmbeddingModel(scenario, EMBEDDING_MODELS[trouble === 'changed' ? 1 : 0]);
      await files.expectSemantic();
      await files.expectFound('word3x', 'file 3.txt');
    }),
}));

/** Phases of the embedding of a file, by the statements of each. */
const PHASES: Readonly<Record<string, [phase: string, sql: string]>> = {
  F61e: ['the embedding of a file begins', 'set embedding_attempts = embedding_attempts'],
  F61g: ['the vectors of a file are stored', 'insert into project_vector'],
  F61h: [
    'the end of an embedding is stored',
    'set embedding_due_at = null|is_whole\\) values|set embedding_set_id = newest|delete from project_embedding',
  ],
};

const killedInPhases: Fault[] = Object.entries(PHASES).map(([id, [phase, sql]]) => ({
  id,
  description: `kill -9 of a node while ${phase}`,
  on: ['many', 'one'],
  run: (scenario) =>
    withVectors(scenario, async (files) => {
      const trap: Trap = { action: scenario.random.pick(DIES), sql: scenario.random.pick(sql.split('|')) };
      scenario.notes.push(`${trap.action} ${trap.sql}`);
      await springTrap(scenario, trap, () => files.upload(textOf('tiger'), 'file 1.txt').catch(() => undefined));
      await restart(scenario);
      await files.add(textOf('tiger'), 'file 1.txt');
      await files.expectReady(2);
      await files.expectSemantic();
      await files.expectFound('tiger', 'file 1.txt');
    }),
}));

const killedInCall: Fault = {
  id: 'F61f',
  description: 'kill -9 of every node while the model of embeddings is called',
  on: ['many', 'one'],
  run: (scenario) =>
    withVectors(scenario, async (files) => {
      const { embedder, nodes } = scenario.harness;
      embedder.delay = 1_500;
      const calls = embedder.models.length;
      await files.add(textOf('tiger'), 'file 1.txt');
      await scenario.until(() => embedder.models.length > calls, 'a call of the model');
      await scenario.moment(0, 1_500);
      await Promise.all(nodes.map((node) => node.kill()));
      embedder.delay = 0;
      await restart(scenario);
      await files.expectReady(2);
      await files.expectSemantic();
      await files.expectFound('tiger', 'file 1.txt');
    }),
};

export const embeddingFaults: Fault[] = [...inTrouble, ...killedInPhases, killedInCall];
