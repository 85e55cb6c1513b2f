import { API_LIMITS, LIMITS } from '@tanya/contract';
import { CLIENT_JSON, PROGRAM_JSON } from '../../src/platform/json/json-scan.js';
import { fieldBodies } from './field-bodies.js';
import type { Attacker, FuzzRoute } from '../fuzz/hostile-inputs.js';
import type { Harness } from '../fuzz/fuzz-harness.js';
import type { OneRequest } from './clock.js';
import { contentBodies } from './content-bodies.js';
import { gatewayBodies } from './gateway-bodies.js';
import { HEADERS, QUERIES } from './heads.js';
import { statusOf } from './send.js';
import { COMPRESSED, FORM_TYPE, uploadsOf } from './upload-requests.js';
import { manyFields, readerBodies, unknownFields, type WorstBody } from './worst-bodies.js';

const { jsonBytes: BYTES } = LIMITS;
const MESSAGE_PATH = '/api/chat/message';
const LARGE_PATHS = /^\/api\/v1\/(chat|chat\/completions|responses|messages|embeddings)$/;

/** The older name of `/api/v1/chat/completions`. */
const ALIAS = '/api/v1/chat';

/** Bytes that a body of a route may have. */
const bytesOf = (path: string): number =>
  path === MESSAGE_PATH ? LIMITS.messageJsonBytes : LARGE_PATHS.test(path) ? API_LIMITS.jsonBytes : BYTES;

/** Values of JSON that it may have. */
const valuesOf = (path: string): number => (path.startsWith('/api/v1/') ? PROGRAM_JSON : CLIENT_JSON).values;

/** A route with each of the two bounds of values; every other route reads its body as one of them does. */
const OF_READERS = ['POST /api/login', 'POST /api/v1/chat/completions'];

/** The client that comes farthest at a route; an admin only on the routes of admins. */
function callerOf(path: string): Attacker {
  if (path.startsWith('/api/v1/')) return 'key';
  if (path.startsWith('/api/admin/')) return 'admin';
  return /^\/api\/(user|projects|generate-image|chat\/transcribe)/.test(path) ? 'member' : 'guest';
}

/** Fills the parameters of a path with ids of nothing: input is judged before it is looked up. */
const pathOf = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    /generations|import/.test(path) || name === 'fileId' ? '00000000-0000-4000-8000-000000000000' : '2147483646',
  );

/** The first of several equal names, so that a body is measured once. */
const withoutRepeats = (bodies: WorstBody[]): WorstBody[] => [
  ...new Map(bodies.map((body) => [body.input, body])).values(),
];

interface Details {
  caller?: Attacker;
  headers?: Record<string, string>;
  query?: string;
  isChunked?: boolean;
}

/** Requests of all routes. */
export class RestRequests {
  private callers!: Record<Attacker, Record<string, string>>;
  private sent = 0;

  /** @param isWhole every body for every route, which takes half an hour, or the worst ones of each kind */
  constructor(
    private readonly harness: Harness,
    private readonly isWhole: boolean,
  ) {}

  /** Replaces the clients by new ones, which no rate limit has counted. */
  async renew(): Promise<void> {
    this.callers = await this.harness.attackers();
  }

  /** The worst requests of a route. @throws Error for a route with a form that has no uploads here */
  of(route: FuzzRoute): OneRequest[] {
    return [...this.bodies(route), ...this.uploads(route), ...this.heads(route)];
  }

  /** The worst bodies of a route, each as the client that comes farthest; the first ones also as every other client. */
  private bodies(route: FuzzRoute): OneRequest[] {
    const { method, path, type, schema, valid } = route;
    if (type !== 'application/json') return [];
    const values = valuesOf(path);
    const isOfReader = OF_READERS.includes(`${method} ${path}`);
    const fields = unknownFields(BYTES, values);
    const bodies = withoutRepeats([
      ...manyFields(BYTES, values, this.isWhole || isOfReader),
      ...(this.isWhole || isOfReader ? [...fields, ...readerBodies(BYTES, values)] : fields.slice(0, 3)),
      ...fieldBodies(schema ?? '', this.harness.schemas, valid, { bytes: BYTES, values, isWhole: this.isWhole }),
      ...(path === MESSAGE_PATH ? contentBodies(bytesOf(path)) : []),
      ...(this.isWhole || path !== ALIAS ? gatewayBodies(path, bytesOf(path), this.isWhole) : []),
    ]);
    const requests = bodies.map(({ input, build }) => this.request(route, input, build));
    for (const caller of this.isWhole
      ? (['visitor', 'guest', 'member', 'admin', 'key'] as const)
      : (['visitor'] as const)) {
      if (caller === callerOf(path)) continue;
      for (const { input, build } of bodies.slice(0, 2)) requests.push(this.request(route, input, build, { caller }));
    }
    if (!isOfReader) return requests;
    const chunked = bodies
      .slice(0, 4)
      .map(({ input, build }) => this.request(route, `${input}, without a length`, build, { isChunked: true }));
    // The server holds as much of it, decompressed, as the route takes.
    const compressed = COMPRESSED.map(([encoding, input, build]) => ({
      ...this.request(route, `${input} as ${encoding}`, build, { headers: { 'content-encoding': encoding } }),
      size: bytesOf(route.path),
    }));
    return [...requests, ...chunked, ...compressed];
  }

  private uploads(route: FuzzRoute): OneRequest[] {
    if (route.type === null || route.type === 'application/json') return [];
    const headers = { 'content-type': route.type === 'multipart/form-data' ? FORM_TYPE : route.type };
    return uploadsOf(route.path).map(([input, build]) => this.request(route, input, build, { headers }));
  }

  private heads(route: FuzzRoute): OneRequest[] {
    const queries = Object.entries(QUERIES).map(([input, query]) =>
      this.request(route, input, undefined, { query: `?${query}` }),
    );
    const headers = Object.entries(HEADERS).map(([input, named]) =>
      this.request(route, input, undefined, { headers: named }),
    );
    return this.isWhole || OF_READERS.includes(`${route.method} ${route.path}`)
      ? [...queries, ...headers]
      : queries.slice(0, 1);
  }

  private request(route: FuzzRoute, input: string, build: OneRequest['build'], details: Details = {}): OneRequest {
    const { method, path } = route;
    const { caller = callerOf(path), headers = {}, query = '', isChunked } = details;
    return {
      route: `${method} ${path}`,
      input: caller === callerOf(path) ? input : `${input} (${caller})`,
      build,
      send: (body) => {
        const type: Record<string, string> = body === null ? {} : { 'content-type': 'application/json' };
        const all = { ...this.headersOf(caller), ...type, ...headers };
        return statusOf(this.harness.server.url, { method, path: pathOf(path) + query, headers: all, body, isChunked });
      },
    };
  }

  /** Each request has a new address: limits of an address are not the subject here. */
  private headersOf(caller: Attacker): Record<string, string> {
    this.sent += 1;
    const address = `10.${77 + (this.sent >> 16)}.${(this.sent >> 8) & 255}.${this.sent & 255}`;
    return { ...this.callers[caller], 'x-forwarded-for': address };
  }
}
