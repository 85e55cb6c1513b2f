import { writeFileSync } from 'node:fs';
import { ChatGateway } from '../../src/chat/transport/chat.gateway.js';
import { type Harness, headersOf, startFuzzHarness } from '../fuzz/fuzz-harness.js';
import { closeRaw } from '../fuzz/raw-client.js';
import { Clock, describeExcess, type OneRequest, worstOf } from './clock.js';
import { connectionRequests } from './connection-requests.js';
import { RestRequests } from './rest-requests.js';
import { closeConnections } from './send.js';
import { EVENT_NAMES, SocketRequests } from './socket-requests.js';

/** Set by `npm run fuzz`: every body for every route, and a file for the table of `docs/security.md`. */
const IS_WHOLE = process.env.ONE_REQUEST_WHOLE === '1';
const TABLE = process.env.ONE_REQUEST_TABLE;

/** Measures the requests whose route and input match alone, to find the cause of one. */
const ONLY = new RegExp(process.env.ONE_REQUEST_ONLY ?? '', 'i');

/** A hang fails the test; a request takes 30 ms on an idle machine. */
const TIMEOUT_MS = IS_WHOLE ? 4 * 3_600_000 : 1_800_000;

/** After as many excesses the rest is not worth its time: each may hold the server for ten seconds. */
const MOST_EXCESSES = 20;

let harness: Harness;
let clock: Clock;
let rest: RestRequests;
let addresses = 0;

/** Headers of a client without cookies at a new address. */
const stranger = () => ({ 'x-forwarded-for': `10.8.${(addresses += 1) >> 8}.${addresses & 255}` });

beforeAll(async () => {
  harness = await startFuzzHarness();
  await harness.raiseQuotas();
  clock = new Clock(harness.server);
  rest = new RestRequests(harness, IS_WHOLE);
  await rest.renew();
});

afterAll(async () => {
  const table = worstOf(clock.measured, 10);
  console.log(`${clock.measured.length} requests, of which the worst are\n${table}`);
  if (TABLE !== undefined) writeFileSync(TABLE, `${table}\n`);
  closeConnections();
  closeRaw();
  await harness.close();
});

/** The requests above the bound. */
async function excessesOf(requests: OneRequest[]): Promise<string[]> {
  const found: string[] = [];
  for (const request of requests) {
    if (found.length >= MOST_EXCESSES) break;
    if (!ONLY.test(`${request.route} ${request.input}`)) continue;
    const measured = await clock.measure(request, () => rest.renew());
    if (measured.excess.length > 0) found.push(describeExcess(measured));
  }
  return found;
}

describe('LIM-18: one request holds neither the event loop nor the heap', () => {
  it(
    'as a call of any route',
    async () => {
      const found: string[] = [];
      for (const route of harness.routes) {
        if (found.length < MOST_EXCESSES) found.push(...(await excessesOf(rest.of(route))));
      }
      expect(found).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'as an event or a packet of a socket',
    async () => {
      const guest = async () => headersOf(await harness.guest());
      const sockets = new SocketRequests(harness.server.url, guest, IS_WHOLE);
      expect(await excessesOf(sockets.all())).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'as a slow or unusual connection',
    async () => {
      expect(await excessesOf(connectionRequests(harness.server.url, stranger))).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('of no event that is missing here', () => {
    const names = Object.values(Object.getOwnPropertyDescriptors(ChatGateway.prototype)).flatMap(({ value }) => {
      const name = typeof value === 'function' ? (Reflect.getMetadata('message', value) as unknown) : undefined;
      return typeof name === 'string' ? [name] : [];
    });
    expect(names.sort()).toEqual(EVENT_NAMES.toSorted());
  });
});
