import { demoArguments } from './demo-arguments.js';

it('fills the required fields of a schema', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      days: { type: ['integer', 'null'] },
      place: { type: 'object', properties: { name: {}, tags: { type: 'array' } }, required: ['name', 'tags'] },
      optional: { type: 'string' },
    },
    required: ['city', 'unit', 'days', 'place', 'unknown', 7],
  };
  expect(demoArguments(schema, 'Jakarta')).toEqual({
    city: 'Jakarta',
    unit: 'celsius',
    days: 1,
    place: { name: 'Jakarta', tags: [] },
  });
});

it.each([[undefined], [null], [[]], [{ required: ['a'] }], [{ properties: [], required: ['length'] }]])(
  'takes no arguments from %j',
  (schema) => {
    expect(demoArguments(schema, 'x')).toEqual({});
  },
);
