import { randomUUID } from 'node:crypto';
import { type AdminModel, CLIENT_EVENTS } from '@tanya/contract';
import { SocketClient } from '../harness/socket-client.js';
import type { HttpClient } from '../harness/http-client.js';
import { type Actor, type SecurityHarness, startSecurityHarness } from '../security/routes-harness.js';
import { type Objects, ROUTES } from '../security/routes-table.js';

let harness: SecurityHarness;
let admin: HttpClient;

beforeAll(async () => {
  harness = await startSecurityHarness();
  admin = await harness.admin();
});

afterAll(() => harness.close());

const MODELS = '/api/admin/models';

/** Admins may use every model, and test connections. */
const CALLERS = ['visitor', 'guest', 'owner', 'other', 'premium', 'key'] as const satisfies readonly Actor[];

/** Closes every model to everybody but admins, also those that the site chooses itself. */
async function closeModels(): Promise<void> {
  const kinds = ['chat', 'image', 'embedding', 'transcription'] as const;
  for (const kind of kinds) await admin.post(MODELS, { modelId: `closed/${kind}`, kind });
  const models = (await admin.get<AdminModel[]>(MODELS)).body;
  for (const { id } of models) {
    const closed = await admin.patch(`${MODELS}/${id}`, { access: 'groups', groupIds: [] });
    expect([closed.status, closed.text]).toEqual([200, expect.anything()]);
  }
  const changes = { transcriptionModelId: 'closed/transcription', generatedIdeas: false };
  expect((await admin.patch('/api/admin/general-settings', changes)).status).toBe(200);
}

interface Description {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: { $ref?: string } }> } }>>;
  components: { schemas: Record<string, { properties?: Record<string, unknown> }> };
}

/** The routes whose body has a field `model`, as their description says. */
async function routesWithModel(): Promise<Set<string>> {
  const { paths, components } = (await harness.client().get<Description>('/api/docs-json')).body;
  const takesModel = (schema: { $ref?: string } | undefined) =>
    'model' in (components.schemas[schema?.$ref?.split('/').at(-1) ?? '']?.properties ?? {});
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) =>
        Object.values(requestBody?.content ?? {}).some(({ schema }) => takesModel(schema)),
      )
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  return new Set(routes);
}

/** The body of a call as it is, and with each kind of model. */
const withModels = (body: object): object[] => [
  body,
  { ...body, model: 'closed/chat' },
  { ...body, model: 'closed/image' },
];

it('no route and no event of anybody reaches a provider while its models are closed to them (AZ-11)', async () => {
  const actors = await harness.createActors();
  const objects: Objects = {
    ...(await harness.belongings(actors.owner)),
    userId: await harness.userId(),
    model: await harness.model(),
  };
  await closeModels();
  harness.upstream.calls.length = 0;

  for (const name of Object.keys(CLIENT_EVENTS)) {
    for (const browser of [actors.guest, actors.owner]) {
      const socket = await SocketClient.connect(browser);
      for (const model of ['closed/chat', 'closed/image', objects.model.modelId, null]) {
        const { threadId, aiMessageId: messageId, generationId } = objects;
        const content = { text: 'x' };
        const payloads = [
          { threadId: null, content, model },
          { threadId, content, model },
          { messageId, model },
          { messageId },
        ];
        for (const payload of payloads) await socket.ask(name, { clientMessageId: randomUUID(), ...payload });
        for (const payload of [{ callId: 'call_1', approve: true }, { afterSeq: 0 }, {}])
          await socket.ask(name, { generationId, ...payload });
      }
      socket.socket.close();
    }
  }

  // Those that end the session or the account come last.
  const takeModels = await routesWithModel();
  expect([...takeModels]).toEqual(
    expect.arrayContaining([
      'POST /api/chat/message',
      'POST /api/v1/chat/completions',
      'POST /api/v1/images/generations',
    ]),
  );
  const routes = Object.entries(ROUTES).toSorted(([, a], [, b]) => Number(a.ends ?? false) - Number(b.ends ?? false));
  for (const [route, { path, body, raw }] of routes) {
    const [method = '', pattern = ''] = route.split(' ');
    for (const actor of CALLERS) {
      const address = path?.(objects) ?? pattern;
      const given = raw === undefined ? body?.(objects) : undefined;
      const namesModel = takeModels.has(route.replace(/[:*](\w+)/g, '{$1}'));
      const bodies = namesModel && given !== undefined ? withModels(given as object) : [given];
      for (const each of bodies) await actors[actor].send(method, address, { body: each, raw: raw?.() });
    }
  }

  // What the calls have left to be done later, such as titles, would be asked for before this answer.
  const sent = await admin.post('/api/chat/message', { content: 'of an admin', model: 'closed/chat' });
  expect(sent.status).toBe(201);
  const asked = harness.upstream.calls.filter(({ route }) => route !== 'models');
  expect(asked.map(({ route, body }) => [route, JSON.stringify(body).includes('of an admin')])).toEqual([
    ['chat', true],
  ]);
}, 300_000);
