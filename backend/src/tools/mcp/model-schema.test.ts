import { modelSchema } from './model-schema.js';

const text = { type: 'string' };

it.each<[string, object, object]>([
  ['nothing', {}, { type: 'object', properties: {} }],
  ['an object without properties', { type: 'object' }, { type: 'object', properties: {} }],
  [
    'a closed object without properties',
    { type: 'object', additionalProperties: false },
    { type: 'object', properties: {}, additionalProperties: false },
  ],
  ['null properties', { type: 'object', properties: null }, { type: 'object', properties: {} }],
  ['null requirements', { type: 'object', properties: {}, required: null }, { type: 'object', properties: {} }],
  ['a list of types', { type: ['object'], properties: { a: text } }, { type: 'object', properties: { a: text } }],
  ['another type', { type: 'string' }, { type: 'object', properties: {} }],
  [
    'requirements of several kinds',
    { type: 'object', properties: { a: text }, required: ['a', 7] },
    { type: 'object', properties: { a: text }, required: ['a'] },
  ],
  [
    'further keywords',
    { type: 'object', properties: { a: text }, $defs: { b: text }, description: 'D' },
    { type: 'object', properties: { a: text }, $defs: { b: text }, description: 'D' },
  ],
  ...['enum', 'const', 'not'].map((name): [string, object, object] => [
    `${name} at its top`,
    { type: 'object', properties: { a: text }, [name]: { required: ['b'] } },
    { type: 'object', properties: { a: text } },
  ]),
  [
    'properties that are booleans',
    { type: 'object', properties: { a: true, b: false, c: text } },
    { type: 'object', properties: { a: {}, c: text } },
  ],
  [
    'a requirement that no value fits',
    { type: 'object', properties: { a: text, b: false }, required: ['a', 'b'] },
    { type: 'object', properties: { a: text }, required: ['a'] },
  ],
  [
    'a condition',
    {
      type: 'object',
      properties: { a: text },
      if: { properties: { a: { const: 'x' } } },
      then: { properties: { b: text }, required: ['b'] },
      else: { properties: { c: text } },
    },
    { type: 'object', properties: { a: text, b: text, c: text } },
  ],
])('gives providers an object for %s', (_, listed, expected) =>
  expect(modelSchema(listed as Record<string, unknown>)).toEqual(expected),
);

it('joins alternatives: what all of them require is required', () => {
  const alternatives = [
    { type: 'object', properties: { x: text, y: text }, required: ['x', 'y'], additionalProperties: false },
    { type: 'object', properties: { x: text, z: text }, required: ['x'] },
    null,
  ];
  for (const name of ['anyOf', 'oneOf']) {
    expect(modelSchema({ type: 'object', additionalProperties: false, [name]: alternatives })).toEqual({
      type: 'object',
      properties: { x: text, y: text, z: text },
      required: ['x'],
    });
  }
});

it('joins parts of one schema: what any of them requires is required', () => {
  const parts = [
    { properties: { x: text }, required: ['x'] },
    { properties: { y: text }, required: ['y'] },
  ];
  expect(modelSchema({ allOf: parts, properties: { own: text } })).toEqual({
    type: 'object',
    properties: { own: text, x: text, y: text },
    required: ['x', 'y'],
  });
});

it('keeps what tells alternatives apart', () => {
  const create = { properties: { action: { const: 'create' }, title: text }, required: ['action', 'title'] };
  const remove = { properties: { action: { const: 'remove' }, id: text }, required: ['action', 'id'] };
  expect(modelSchema({ type: 'object', oneOf: [create, remove] })).toEqual({
    type: 'object',
    properties: { action: { anyOf: [{ const: 'create' }, { const: 'remove' }] }, title: text, id: text },
    required: ['action'],
  });
});

it('follows references at its top and in its alternatives', () => {
  const a = { type: 'object', properties: { a: text }, required: ['a'] };
  const expected = { type: 'object', properties: { a: text }, required: ['a'], $defs: { a } };
  for (const reference of [
    { $ref: '#/$defs/a' },
    { allOf: [{ $ref: '#/$defs/a' }] },
    { anyOf: [{ $ref: '#/$defs/a' }] },
  ]) {
    expect(modelSchema({ ...reference, $defs: { a } })).toEqual(expected);
  }
});

it.each(['#/$defs/loop', '#', '#/$defs/none', 'https://other.example/schema', 7])(
  'ends at the reference %j',
  ($ref) => {
    const $defs = { loop: { allOf: [{ $ref: '#/$defs/loop' }] } };
    expect(modelSchema({ $ref, $defs })).toEqual({ type: 'object', properties: {}, $defs });
  },
);

it('follows each of many references to each other once', () => {
  const names = Array.from({ length: 40 }, (_, at) => `d${at}`);
  const allOf = names.map((name) => ({ $ref: `#/$defs/${name}` }));
  const $defs = Object.fromEntries(names.map((name) => [name, { allOf, properties: { [name]: text } }]));
  expect(Object.keys(modelSchema({ allOf, $defs })['properties'] as object)).toHaveLength(40);
});
