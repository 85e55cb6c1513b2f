import type { HttpClient } from './http-client.js';
import { routesOf } from './routes-list.js';
import { type Objects, ROUTES, type RouteCase } from './routes-table.js';
import { type Actor, ACTORS, type Cast, startWorld, type World } from './routes-world.js';

let world: World;
let cast: Cast | null = null;

beforeAll(async () => {
  world = await startWorld();
});

afterAll(async () => {
  await world.close();
});

async function statusFor(browser: HttpClient, route: string, { path, body, raw }: RouteCase, objects: Objects) {
  const [method = '', pattern = ''] = route.split(' ');
  const answer = await browser.send(method, path?.(objects) ?? pattern, { body: body?.(objects), raw: raw?.() });
  return answer.status;
}

const objectsOf = async (owner: HttpClient): Promise<Objects> => ({
  ...(await world.belongings(owner)),
  userId: await world.userId(),
  model: await world.model(),
});

it('ADM-2: knows every route of the running app, and no other', () => {
  expect(routesOf(world.app)).toEqual(Object.keys(ROUTES).sort());
});

describe('AZ-1, ADM-2, KEY-5: each route gives each actor what is theirs', () => {
  it.each(Object.entries(ROUTES))('%s', async (route, routeCase) => {
    cast ??= await world.cast();
    const browsers = cast;
    const objects = await objectsOf(browsers.owner);
    const denied = ACTORS.filter((actor) => [401, 403, 404].includes(routeCase.expected[actor]));
    const got: Partial<Record<Actor, number>> = {};
    const ask = async (actor: Actor) => {
      got[actor] = await statusFor(browsers[actor], route, routeCase, objects);
    };
    const before = await world.fingerprint();
    for (const actor of denied) await ask(actor);
    expect(await world.fingerprint()).toEqual(before);
    for (const actor of ACTORS.filter((one) => !denied.includes(one))) await ask(actor);
    expect(got).toEqual(routeCase.expected);
    if (routeCase.ends) cast = null;
  });
});

describe("AZ-1: what is a guest's is nobody else's, members and admins included", () => {
  const belonging = Object.entries(ROUTES).filter(([, { belongs }]) => belongs);

  it.each(belonging)('%s', async (route, routeCase) => {
    cast ??= await world.cast();
    const guest = await world.guest();
    const objects = await objectsOf(guest);
    for (const actor of ACTORS) {
      expect([actor, await statusFor(cast[actor], route, routeCase, objects)]).toEqual([actor, 404]);
    }
    expect(await statusFor(guest, route, routeCase, objects)).toBe(routeCase.expected.owner);
  });
});

it('answers unknown calls with an error of ours, whoever asks and however', async () => {
  const { admin } = await world.cast();
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
