import { readFileSync, writeFileSync } from 'node:fs';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';
import { type ScriptedUpstream, startUpstream } from '../../harness/scripted-upstream.js';
import { waitUntil } from '../../harness/wait-until.js';
import { setEmbeddingModel } from '../embedder.js';
import { filesOf, setMembers } from '../project-harness.js';
import { addReader, DECLINED, type Figures, measure, measuredProject, tableOf } from './measure.js';
import { DOCUMENTS } from './documents.js';
import { FOLLOW_UPS, QUESTIONS } from './questions.js';
import { readAnswer } from './reader.js';
import { startVectorServer, type VectorServer, type VectorSource } from './vector-server.js';

/** What `npm run measure-projects` asks for; absent in a test. */
const command = process.env['TANYA_MEASURE'];
const options = command === undefined ? null : (JSON.parse(command) as { source?: VectorSource; isWritten: boolean });

const DOC = new URL('../../../../docs/projects.md', import.meta.url);

/** The table stands between these lines of the document. */
const TABLE = /(<!-- figures -->\n)[\s\S]*?(\n<!-- end of figures -->)/;

const READER = 'tests/reader';
const VECTORS = 'tests/measured-vectors';

let upstream: ScriptedUpstream;
let vectors: VectorServer;
let harness: ChatHarness;
let client: HttpClient;
let clients: HttpClient[];
let id: number;

beforeAll(async () => {
  upstream = await startUpstream({
    choose: (text) => {
      const question =
        FOLLOW_UPS.find(({ ask }) => text.includes(ask))?.meant ?? QUESTIONS.find(({ ask }) => text.includes(ask))?.ask;
      const answer = question === undefined ? DECLINED : readAnswer(text, question);
      return { steps: [{ text: answer }, { finish: 'stop' }, { done: true }] };
    },
  });
  vectors = await startVectorServer(options === null ? undefined : (options.source ?? 'stand-in'));
  harness = await startChatHarness({ redis: false, timings: { projectQueue: 100 }, sharedUpstream: upstream });
  await addReader(harness, READER);
  const admin = await harness.admin();
  const connection = { name: 'Vectors', kind: 'compatible', baseUrl: vectors.url };
  const { body } = await admin.post<{ id: number }>('/api/admin/connections', connection);
  const model = { modelId: VECTORS, name: 'Vectors', provider: 'Tests', kind: 'embedding', connectionId: body.id };
  expect((await admin.post('/api/admin/models', model)).status).toBe(201);
  ({ client } = await harness.member({ isPremium: true }));
  id = await measuredProject(client);
  const members = await Promise.all([1, 2, 3].map(() => harness.member({ isPremium: true })));
  await setMembers(client, id, Object.fromEntries(members.map(({ username }) => [username, 'viewer' as const])));
  clients = [client, ...members.map((member) => member.client)];
});

afterAll(async () => {
  await harness.close();
  await upstream.close();
  await vectors.close();
});

describe('the measure of projects', () => {
  it('has ten documents, thirty questions in two languages and ten follow-ups', () => {
    expect([DOCUMENTS.length, QUESTIONS.length, FOLLOW_UPS.length]).toEqual([10, 30, 10]);
  });

  it('gives the figures of docs/projects.md', async () => {
    const misses: string[] = [];
    const noteMiss = (title: string) => (question: string, found: string) =>
      void misses.push(`${title}: ${question} (${found})`);
    const columns: Record<string, Figures> = {};
    columns['full text alone'] = await measure(clients, id, READER, noteMiss('full text'));
    await setEmbeddingModel(await harness.admin(), VECTORS);
    await waitUntil('the vectors', async () => (await filesOf(client, id)).every(({ isSemantic }) => isSemantic));
    columns['both'] = await measure(clients, id, READER, noteMiss('both'));
    const table = tableOf(columns);
    const doc = readFileSync(DOC, 'utf8');
    if (options !== null) {
      console.log([`Vectors of ${vectors.model}`, table, ...misses].join('\n'));
      if (options.isWritten) {
        vectors.store();
        writeFileSync(DOC, doc.replace(TABLE, `$1\n${table}\n$2`));
      }
      return;
    }
    expect(cellsOf(TABLE.exec(doc)?.[0] ?? '')).toEqual(
      cellsOf(`<!-- figures -->\n\n${table}\n\n<!-- end of figures -->`),
    );
  }, 300_000);
});

/** Tables are aligned when they are formatted. */
const cellsOf = (table: string): string[] =>
  table.split('\n').map((row) => row.replaceAll(/ *\| */g, '|').replaceAll(/-+/g, '-'));
