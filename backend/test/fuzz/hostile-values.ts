import fc from 'fast-check';

const HOSTILE_TEXTS = [
  '',
  ' ',
  'a\u0000b',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '\u202egnp.exe',
  '\u200b',
  'é'.repeat(200),
  'e' + '\u0301'.repeat(10_000),
  '💥'.repeat(40),
  '\'; drop table "user"; --',
  '${process.env.APP_SECRET}{{7*7}}',
  '<img src=x onerror=alert(1)>',
  'a'.repeat(50_000),
  '('.repeat(5_000),
  '\r\nSet-Cookie: tanya.sid=forged',
  '../../../../etc/passwd',
  '/api/files/00000000-0000-0000-0000-000000000000',
  'data:image/png;base64,AAAA',
  'data:;base64,',
  'javascript:alert(1)',
  '9'.repeat(400),
];

/** Fields that clients may not set. */
export const SMUGGLED_FIELDS = [
  'isAdmin',
  'isPremium',
  'role',
  'roles',
  'is_admin',
  'id',
  'userId',
  'user_id',
  'owner',
  'quota',
  'messageCount',
  'passwordHash',
  'apiKeyHash',
  'sessionEpoch',
  'createdAt',
  'status',
  'threadId',
  'constructor',
  'prototype',
];

/** Texts of any code units. fast-check needs most of a second to make one, so all share it. */
export const binaryText = fc.string({ unit: 'binary', maxLength: 60 });

const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), binaryText);

const scalar = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.boolean() },
  { weight: 1, arbitrary: fc.constantFrom(null, -1, 0, 1e308, 2 ** 31, 2 ** 53) },
);

/** JSON.parse creates `__proto__` as an own property, as a body parser does. */
const polluting: unknown[] = [
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  JSON.parse('{"constructor":{"prototype":{"isAdmin":true}}}'),
  { $ne: '' },
  { gt: '' },
  // Cannot be converted to text: `String` and template literals throw.
  { toString: 'x', valueOf: 1 },
  { length: 1e9 },
];

/** Any JSON value, mostly of the wrong type. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constantFrom(...polluting) },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('text', 'id', 'then', '__proto__', ''), scalar) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const headerCharacter = fc
  .integer({ min: 0x20, max: 0xff })
  .filter((code) => code !== 0x7f)
  .map((code) => String.fromCharCode(code));

/** A header value that HTTP allows. */
export const hostileHeader = fc.oneof(
  fc.constantFrom('', ' ', 'x'.repeat(5_000), '\u00ff\u00fe', "' OR 1=1 --", '__proto__', 'Bearer', 'Bearer null'),
  fc.string({ unit: headerCharacter, maxLength: 40 }),
);
