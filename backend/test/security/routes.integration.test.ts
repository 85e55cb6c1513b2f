import type { HttpClient } from '../harness/http-client.js';
import { routesOf } from './routes-list.js';
import { type Objects, ROUTES, type RouteCase } from './routes-table.js';
import { type Actor, ACTORS, type Actors, type SecurityHarness, startSecurityHarness } from './routes-harness.js';

let harness: SecurityHarness;
let actors: Actors | null = null;
/** What the owner of these actors has. */
let objects: Objects | null = null;
/** Routes that the actors have called: each uploads a file, and an owner may upload 60 in an hour. */
let uses = 0;

/** Each route needs an upload of its own, and the uploads of an owner are limited. */
const ROUTES_PER_ACTORS = 40;
let count = 0;

beforeAll(async () => {
  harness = await startSecurityHarness();
});

afterAll(async () => {
  await harness.close();
});

async function statusFor(browser: HttpClient, route: string, { path, body, raw }: RouteCase, objects: Objects) {
  const [method = '', pattern = ''] = route.split(' ');
  const answer = await browser.send(method, path?.(objects) ?? pattern, { body: body?.(objects), raw: raw?.() });
  return answer.status;
}

const objectsOf = async (owner: HttpClient): Promise<Objects> => ({
  ...(await harness.belongings(owner)),
  userId: await harness.userId(),
  model: await harness.model(),
});

it('ADM-2: the table lists exactly the routes of the running app', () => {
  expect(routesOf(harness.app)).toEqual(Object.keys(ROUTES).sort());
});

describe('the description of the API', () => {
  interface Operation {
    parameters?: { in: string; name: string; required?: boolean }[];
    requestBody?: { content: object };
    security?: object[];
    responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  }
  interface Schema {
    $ref?: string;
    required?: string[];
    properties?: Record<string, Schema>;
    items?: Schema;
  }
  interface Description {
    info: { version: string };
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema>; securitySchemes: Record<string, object> };
  }
  let schemas: Record<string, Schema>;
  let described: [string, Operation][];

  beforeAll(async () => {
    const { body } = await harness.client().get<Description>('/api/docs-json');
    schemas = body.components.schemas;
    described = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    );
  });

  const named = (route: string) => route.replace(/[:*](\w+)/g, '{$1}');
  const parametersOf = (operation: Operation | undefined, place: string) =>
    (operation?.parameters ?? []).filter((one) => one.in === place);

  it('lists every route except its own, with its body', () => {
    const routes = Object.entries(ROUTES).filter(([route]) => !route.includes(' /api/docs'));
    expect(described.map(([route]) => route).sort()).toEqual(routes.map(([route]) => named(route)).sort());
    const withBody = routes.filter(([, { body, raw }]) => body ?? raw).map(([route]) => named(route));
    expect(described.flatMap(([route, { requestBody }]) => (requestBody ? [route] : [])).sort()).toEqual(
      withBody.sort(),
    );
  });

  it('declares the parameters of a path', () => {
    for (const [route, operation] of described) {
      const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, required: true }));
      const declared = parametersOf(operation, 'path').map(({ name, required }) => ({ name, required }));
      expect([route, declared]).toEqual([route, names]);
    }
  });

  it.each([
    ['GET /api/chat/threads', 'query', ['query', 'state', 'projectId', 'limit', 'before']],
    ['GET /api/chat/search', 'query', ['query', 'limit', 'before']],
    ['GET /api/chat/threads/{id}/messages', 'query', ['limit', 'before']],
    ['GET /api/chat/threads/{id}/export', 'query', ['format']],
    ['GET /api/admin/audit', 'query', ['actor', 'action', 'target', 'from', 'to', 'query', 'limit', 'before']],
    ['GET /api/admin/audit.csv', 'query', ['actor', 'action', 'target', 'from', 'to', 'query']],
    [
      'GET /api/admin/failures',
      'query',
      ['from', 'to', 'code', 'connectionId', 'modelId', 'userId', 'id', 'limit', 'before'],
    ],
    ['GET /api/user/import/{id}/conversations', 'query', ['limit', 'before']],
    [
      'GET /api/admin/users',
      'query',
      ['sort', 'query', 'groupId', 'waiting', 'suspended', 'admin', 'service', 'plan', 'limit', 'before'],
    ],
    ['POST /api/v1/chat', 'header', ['Idempotency-Key']],
    ['POST /api/v1/chat/completions', 'header', ['Idempotency-Key']],
  ])('declares the parameters of %s in its %s', (route, place, names) => {
    const operation = described.find(([one]) => one === route)?.[1];
    expect(parametersOf(operation, place).map(({ name }) => name)).toEqual(names);
  });

  const resolved = (schema: Schema): Schema => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)!]! : schema);

  /** Names of a response that the description lacks, and required ones that the response lacks. */
  function differences(given: Schema, value: unknown, path = ''): string[] {
    const schema = resolved(given);
    if (Array.isArray(value)) return value.flatMap((item) => differences(schema.items!, item, `${path}[]`));
    if (typeof value !== 'object' || value === null) return [];
    const [names, known] = [Object.keys(value), Object.keys(schema.properties ?? {})];
    const wrong = [
      ...names.filter((name) => !known.includes(name)),
      ...(schema.required ?? []).filter((name) => !names.includes(name)),
    ];
    return [
      ...wrong.map((name) => `${path}.${name}`),
      ...names.flatMap((name) =>
        known.includes(name)
          ? differences(schema.properties![name]!, (value as Record<string, unknown>)[name], `${path}.${name}`)
          : [],
      ),
    ];
  }

  it('matches the responses of the public API', async () => {
    const { key, visitor } = await harness.createActors();
    const model = 'openai/gpt-4o-mini';
    const completion = { model, messages: [{ role: 'user', content: 'x' }] };
    const answers = [
      ['GET /api/v1/models', '200', await key.get('/api/v1/models')],
      ['GET /api/v1/models/{id}', '200', await key.get(`/api/v1/models/${model}`)],
      ['POST /api/v1/chat', '200', await key.post('/api/v1/chat', completion)],
      ['POST /api/v1/chat/completions', '200', await key.post('/api/v1/chat/completions', completion)],
      ['POST /api/v1/chat', 'default', await key.post('/api/v1/chat', {})],
      ['GET /api/v1/models', 'default', await visitor.get('/api/v1/models')],
      ['GET /api/user', 'default', await visitor.get('/api/user')],
    ] as const;
    for (const [route, status, { body }] of answers) {
      const operation = described.find(([one]) => one === route)?.[1];
      const schema = operation?.responses[status]?.content?.['application/json']?.schema;
      expect([route, schema?.$ref, differences(schema ?? {}, body)]).toEqual([route, expect.any(String), []]);
    }
  });

  it('has the version of the package, the cookie of this server and every type of a body', async () => {
    const { body } = await harness.client().get<Description>('/api/docs-json');
    expect(body.info.version).toBe('0.1.0');
    expect(body.components.securitySchemes['session']).toMatchObject({ in: 'cookie', name: 'tanya.sid' });
    const operations = Object.fromEntries(described);
    const types = Object.keys(operations['POST /api/projects/{id}/files']!.requestBody!.content);
    expect(types).toEqual(['multipart/form-data', 'application/json']);
    expect(operations['POST /api/auth/oidc/{id}/backchannel-logout']!.security).toEqual([]);
    expect(operations['GET /api/health/ready']!.security).toEqual([]);
    expect(operations['GET /api/user']!.security).toEqual([{ session: [] }]);
  });

  it('refers to no missing schema', async () => {
    const { text } = await harness.client().get('/api/docs-json');
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
    expect(names.filter((name) => !(name in schemas))).toEqual([]);
  });
});

/** A send and an upload take most of the time of a route, so only a route that addresses objects gets new ones. */
const addressesObjects = ({ path, body }: RouteCase): boolean => [path, body].some((part) => (part?.length ?? 0) > 0);

describe('AZ-1, ADM-2, KEY-5: each route has the expected status for each actor', () => {
  it.each(Object.entries(ROUTES))('%s', async (route, routeCase) => {
    if ((uses += 1) % 30 === 0) actors = null;
    if (actors === null) objects = null;
    actors ??= await harness.createActors();
    const browsers = actors;
    if (objects === null || addressesObjects(routeCase)) objects = await objectsOf(browsers.owner);
    const addressed = objects;
    const denied = ACTORS.filter((actor) => [401, 403, 404].includes(routeCase.expected[actor]));
    const got: Partial<Record<Actor, number>> = {};
    const ask = async (actor: Actor) => {
      got[actor] = await statusFor(browsers[actor], route, routeCase, addressed);
    };
    const before = await harness.fingerprint();
    for (const actor of denied) await ask(actor);
    expect(await harness.fingerprint()).toEqual(before);
    for (const actor of ACTORS.filter((one) => !denied.includes(one))) await ask(actor);
    expect(got).toEqual(routeCase.expected);
    count += 1;
    if (routeCase.ends || count % ROUTES_PER_ACTORS === 0) actors = null;
  });
});

describe('AZ-1: an object of a guest is not found by any other actor', () => {
  const belonging = Object.entries(ROUTES).filter(([, { belongs }]) => belongs);

  it.each(belonging)('%s', async (route, routeCase) => {
    actors ??= await harness.createActors();
    const guest = await harness.guest();
    const objects = await objectsOf(guest);
    for (const actor of ACTORS) {
      expect([actor, await statusFor(actors[actor], route, routeCase, objects)]).toEqual([actor, 404]);
    }
    expect(await statusFor(guest, route, routeCase, objects)).toBe(routeCase.expected.owner);
  });
});

it('answers unknown paths with a typed error for every method', async () => {
  const { admin } = await harness.createActors();
  for (const path of [
    '/api',
    '/api/',
    '/api/nothing',
    '/api/v2/chat',
    '/api/admin/nothing',
    '/api/chat/threads/1/2/3',
  ]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await admin.send<{ code: string }>(method, path);
      expect([path, method, answer.status, answer.body.code]).toEqual([path, method, 404, 'not_found']);
    }
  }
});
