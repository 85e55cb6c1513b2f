import { modelSchema } from './model-schema.js';

const text = { type: 'string' };

it.each([
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
])('gives providers an object for %s', (_, listed, expected) => expect(modelSchema(listed)).toEqual(expected));

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
