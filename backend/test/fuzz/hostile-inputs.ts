import fc from 'fast-check';
import { GATEWAY_BODIES, hostileTranscription } from './hostile-gateway.js';
import { HOSTILE_IDS } from './hostile-ids.js';
import { hostileHeader, hostileValue, SMUGGLED_FIELDS } from './hostile-values.js';

/** Clients of an input. They have the ids of the victim's objects, but not its session. */
export const ATTACKERS = ['visitor', 'guest', 'member', 'admin', 'key'] as const;
export type Attacker = (typeof ATTACKERS)[number];

export interface RestInput {
  attacker: Attacker;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

export interface SocketInput {
  /** Any type; valid names are strings. */
  name: unknown;
  args: unknown[];
}

/** A route with its fields, from the API description. */
export interface FuzzRoute {
  method: string;
  /** `/api/chat/threads/{id}` */
  path: string;
  /** Media type of its body, and the name of its schema; null without one. */
  type: string | null;
  schema: string | null;
  fields: string[];
  valid: Record<string, unknown>;
}

const DEEP = '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000);

/** Bodies that are valid for no route. */
const RAW_BODIES = [
  'null',
  '[]',
  '"x"',
  '1',
  '{',
  '',
  ' ',
  '{"username":"a","username":"b","password":[],"password":{}}',
  '[[[[]]]]',
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}',
  DEEP,
  '[' + '1,'.repeat(50_000) + '1]',
  '{"a":"\ufeff"}',
].map((text) => Buffer.from(text));
RAW_BODIES.push(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), Buffer.from([0x1f, 0x8b, 8, 0, 0]));

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? 'null');

/** Nearly valid attachments: ids of no file, other values, and too many of them. */
const hostileAttachments = fc.array(
  fc.oneof(
    fc.constantFrom(...HOSTILE_IDS).map((fileId) => ({ fileId })),
    hostileValue.map((fileId) => ({ fileId })),
    hostileValue,
  ),
  { maxLength: 12 },
);

/** A nearly valid message content, which has the attachments. */
const hostileContent = fc
  .dictionary(
    fc.constantFrom(
      'text',
      'attachments',
      'imageData',
      'audioData',
      'fileUrl',
      'fileName',
      'fileType',
      'fileSize',
      'hasCode',
    ),
    fc.oneof(
      { weight: 3, arbitrary: hostileValue },
      { weight: 1, arbitrary: hostileAttachments },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    { maxKeys: 3 },
  )
  .map((changed) => ({ text: 'Hello', ...changed }));

const bodyOf = ({ path, fields, valid }: FuzzRoute): fc.Arbitrary<Buffer | null> => {
  const known = fields.length > 0 ? fields : ['x'];
  const changed = fc.dictionary(fc.constantFrom(...known), hostileValue, { maxKeys: 3 });
  const smuggled = fc.dictionary(fc.constantFrom(...SMUGGLED_FIELDS), hostileValue, { maxKeys: 2 });
  const withContent = hostileContent.map((content) => json({ ...valid, content: JSON.stringify(content) }));
  const nearlyValid = GATEWAY_BODIES[path];
  return fc.oneof(
    { weight: nearlyValid ? 12 : 0, arbitrary: (nearlyValid ?? fc.constant({})).map(json) },
    { weight: known.includes('content') ? 8 : 0, arbitrary: withContent },
    { weight: 2, arbitrary: fc.constantFrom(...known).map((field) => json({ ...valid, [field]: null })) },
    { weight: 8, arbitrary: changed.map((fields) => json({ ...valid, ...fields })) },
    { weight: 3, arbitrary: fc.tuple(changed, smuggled).map(([a, b]) => json({ ...valid, ...a, ...b })) },
    { weight: 2, arbitrary: hostileValue.map(json) },
    { weight: 2, arbitrary: fc.constantFrom(...RAW_BODIES) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.constant(null) },
  );
};

const JSON_TYPE = 'application/json';
const TYPES = [
  'application/json; charset=utf-7',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json;charset=',
];

const headers = fc
  .tuple(
    fc.oneof({ weight: 9, arbitrary: fc.constant(JSON_TYPE) }, { weight: 1, arbitrary: fc.constantFrom(...TYPES) }),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.dictionary(
          fc.constantFrom(
            'authorization',
            'idempotency-key',
            'x-forwarded-for',
            'x-forwarded-host',
            'x-request-id',
            'accept-language',
            'cookie',
            'if-none-match',
            'range',
            'content-encoding',
            'x-http-method-override',
          ),
          hostileHeader,
          { maxKeys: 2 },
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom({ origin: 'https://evil.example' }, { origin: 'null' }) },
    ),
  )
  .map(([type, others]): Record<string, string> => ({ 'content-type': type, ...others }));

const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  {
    weight: 1,
    arbitrary: fc
      .array(
        fc.tuple(
          fc.constantFrom(
            'limit',
            'before',
            'query',
            'sort',
            'state',
            'format',
            'from',
            'to',
            'stream',
            'starting_after',
            'limit[]',
            'query[$ne]',
            '__proto__',
            'x',
          ),
          fc.oneof(
            fc.constantFrom(...HOSTILE_IDS),
            fc.constantFrom('true', '5', '2026-11-22', '2026-02-30', '0000-01-01', '2026-11-22T10:00:00+07:00'),
            fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
          ),
        ),
        { minLength: 1, maxLength: 4 },
      )
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${encodeURI(value)}`).join('&')}`),
  },
);

const boundary = 'fuzz';

/** A form with arbitrary parts, complete or truncated. */
const multipart: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('file', 'file', 'file', '', '__proto__', 'a[b][c]', '0', 'constructor', 'x'.repeat(200)),
        fc.constantFrom('a.png', 'a.pdf', '../../a', 'a.svg', '', 'a\u0000.txt', '"><img>.txt', 'a.docx', 'CON'),
        fc.constantFrom('image/png', 'application/pdf', 'text/plain', 'image/svg+xml', '', 'x/y', 'multipart/mixed'),
        fc.uint8Array({ maxLength: 300 }),
      ),
      { maxLength: 4 },
    ),
    fc.nat({ max: 60 }),
  )
  .map(([parts, missing]) => {
    const bytes = parts.flatMap(([name, filename, type, content]) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n`),
      Buffer.from(`Content-Type: ${type}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
    const whole = Buffer.concat([...bytes, Buffer.from(`--${boundary}--\r\n`)]);
    return missing > 40 ? whole.subarray(0, Math.max(0, whole.length - missing)) : whole;
  });

const paths = (path: string, ids: string[]): fc.Arbitrary<string> =>
  path.includes('{')
    ? fc
        .constantFrom(...HOSTILE_IDS, ...ids, ...ids)
        .map((id) => path.replace(/\{\w+\}/, /%/.test(id) ? id : encodeURIComponent(id)))
    : fc.constant(path);

const FORM_PATHS = ['/api/files', '/api/user/import', '/api/chat/transcribe', '/api/v1/audio/transcriptions'];

const formOf = (path: string): fc.Arbitrary<Buffer> =>
  path === '/api/v1/audio/transcriptions' ? fc.oneof(hostileTranscription(boundary), multipart) : multipart;

/** A route with its attacker. The calls of programs have the largest inputs, so they are chosen three times as often. */
function weighted(route: FuzzRoute): fc.WeightedArbitrary<{ route: FuzzRoute; attacker: Attacker }> {
  const isOfPrograms = route.path.startsWith('/api/v1/');
  const attackers: Attacker[] = isOfPrograms ? [...ATTACKERS, 'key', 'key', 'key', 'key'] : [...ATTACKERS];
  const arbitrary = fc.constantFrom(...attackers).map((attacker) => ({ route, attacker }));
  return { weight: isOfPrograms ? 3 : 1, arbitrary };
}

/**
 * Calls of any route.
 * @param ids valid ids for paths, by attacker
 */
export function restInputs(routes: FuzzRoute[], ids: (attacker: Attacker) => string[]): fc.Arbitrary<RestInput> {
  return fc.oneof(...routes.map(weighted)).chain(({ route, attacker }) => {
    const isForm = FORM_PATHS.includes(route.path) && route.method === 'POST';
    const hasBody = !['GET', 'HEAD'].includes(route.method);
    return fc.record({
      attacker: fc.constant(attacker),
      method: fc.constant(route.method),
      path: fc.tuple(paths(route.path, ids(attacker)), query).map(([path, search]) => path + search),
      headers: headers.map((given) =>
        isForm ? { ...given, 'content-type': `multipart/form-data; boundary=${boundary}` } : given,
      ),
      body: hasBody ? (isForm ? formOf(route.path) : bodyOf(route)) : fc.constant(null),
    });
  });
}

const EVENTS: Record<string, (ids: { threadId: number; messageId: number; generationId: string }) => object> = {
  'generation:start': ({ threadId }) => ({
    clientMessageId: '3b241101-e2bb-4255-8caf-4136c566a962',
    threadId,
    model: 'openai/gpt-4o-mini',
    content: { text: 'Hello' },
  }),
  'generation:regenerate': ({ messageId }) => ({
    clientMessageId: '3b241101-e2bb-4255-8caf-4136c566a962',
    messageId,
  }),
  'generation:stop': ({ generationId }) => ({ generationId }),
  'generation:approve': ({ generationId }) => ({ generationId, callId: 'call', allow: true }),
  'generation:resume': ({ generationId }) => ({ generationId, afterSeq: 0 }),
};

const NAMES = ['generation:event', 'session:ended', 'connection', '__proto__', 'constructor', '', 'error', 'message'];

/** Events of any name, about the victim's objects. */
export function socketInputs(victim: {
  threadId: number;
  messageId: number;
  generationId: string;
}): fc.Arbitrary<SocketInput> {
  const known = fc.constantFrom(...Object.keys(EVENTS)).chain((name) => {
    const valid = EVENTS[name]!(victim);
    const fields = [...Object.keys(valid), 'text', 'editOf', 'useInstructions', ...SMUGGLED_FIELDS];
    const payload = fc.oneof(
      { weight: 1, arbitrary: fc.constant(valid) },
      {
        weight: 6,
        arbitrary: fc
          .dictionary(fc.constantFrom(...fields), hostileValue, { maxKeys: 3 })
          .map((changed) => ({ ...valid, ...changed })),
      },
      { weight: 'content' in valid ? 4 : 0, arbitrary: hostileContent.map((content) => ({ ...valid, content })) },
      { weight: 2, arbitrary: hostileValue },
    );
    return fc.record({ name: fc.constant<unknown>(name), args: fc.array(payload, { minLength: 1, maxLength: 1 }) });
  });
  const strange = fc.record({
    name: fc.oneof(fc.constantFrom<unknown>(...NAMES, [], {}, 0, null), hostileValue),
    args: fc.array(hostileValue, { maxLength: 4 }),
  });
  return fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: strange });
}
