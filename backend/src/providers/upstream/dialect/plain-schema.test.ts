import { PlainSchemas } from './plain-schema.js';

const plainSchema = (schema: Record<string, unknown>): Readonly<Record<string, unknown>> =>
  new PlainSchemas().plain(schema);

const object = (properties: object, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});

const names = (count: number, schema: object = {}): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema]));

/** The plain schema of one property. */
const propertyOf = (schema: object, more: object = {}): unknown =>
  (plainSchema(object({ a: schema }, more))['properties'] as Record<string, unknown>)['a'];

describe('PlainSchemas', () => {
  it.each<[string, object, object]>([
    ['a list without items', { type: 'array' }, { type: 'array', items: { type: 'string' } }],
    [
      'a list with an item for each place',
      { type: 'array', items: [{ type: 'number' }, { type: 'string' }] },
      { type: 'array', items: { type: 'number' } },
    ],
    ['the same in its later form', { prefixItems: [{ type: 'number' }] }, { type: 'array', items: { type: 'number' } }],
    ['a value without a type', { description: 'Any.' }, { type: 'string', description: 'Any.' }],
    ['true in place of a schema', true as unknown as object, { type: 'string' }],
    ['a text or null', { type: ['string', 'null'] }, { type: 'string' }],
    ['null or an object', { type: ['null', 'object'], properties: { b: {} } }, object({ b: { type: 'string' } })],
    ['several types', { type: ['string', 'number'] }, { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['a text or null as alternatives', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }],
    ['a text that may be absent, of Zod', { anyOf: [{ not: {} }, { type: 'string' }] }, { type: 'string' }],
    [
      'alternatives beside a type',
      { type: 'string', description: 'One.', oneOf: [{ type: 'string' }, { type: 'array' }] },
      { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }], description: 'One.' },
    ],
    ['a constant', { const: 'x' }, { type: 'string', enum: ['x'] }],
    ['an empty text among others', { type: 'string', enum: ['', 'a', 'a'] }, { type: 'string', enum: ['a'] }],
    ['numbers to choose from', { type: 'integer', enum: [1, 2] }, { type: 'integer' }],
    [
      'words that only some know',
      { type: 'string', pattern: '^\\d+$', format: 'uri', minLength: 1, default: 'x', title: 'A', examples: ['x'] },
      { type: 'string' },
    ],
  ])('%s', (_name, schema, plain) => {
    expect(propertyOf(schema)).toEqual(plain);
  });

  it('writes references out, with the words beside them', () => {
    const $defs = { Pet: { type: 'object', properties: { name: { $ref: '#/$defs/Name' } }, required: ['name'] } };
    const more = { $defs: { ...$defs, Name: { type: 'string', description: 'Its name.' } } };
    expect(propertyOf({ $ref: '#/$defs/Pet', description: 'A pet.' }, more)).toEqual(
      object({ name: { type: 'string', description: 'Its name.' } }, { description: 'A pet.', required: ['name'] }),
    );
    expect(propertyOf({ $ref: '#/definitions/None' })).toEqual({ type: 'string' });
  });

  it('ends a reference to itself', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, next: { $ref: '#/properties/next' } } };
    expect(JSON.stringify(plainSchema(tree)).length).toBeLessThan(100_000);
    const wide = names(20, { $ref: '#/$defs/Node' });
    const many = plainSchema(object(wide, { $defs: { Node: object(wide) } }));
    expect(JSON.stringify(many).length).toBeLessThan(300_000);
  });

  it.each<[string, object]>([
    ['parts of themselves', { allOf: Array.from({ length: 20 }, () => ({ $ref: '#/$defs/Node' })) }],
    ['alternatives of themselves', { oneOf: Array.from({ length: 20 }, () => ({ $ref: '#/$defs/Node' })) }],
    ['a long description', { description: 'x'.repeat(50_000) }],
    ['many texts', { enum: Array.from({ length: 10_000 }, (_, at) => `x${at}`) }],
    ['many types and words', { type: Array.from({ length: 5_000 }, () => 'string'), ...names(5_000) }],
    ['many properties', { properties: names(5_000), required: Object.keys(names(5_000)) }],
  ])('bounds what references repeat: %s', (_name, Node) => {
    const schemas = new PlainSchemas();
    const schema = object(names(1_000, { $ref: '#/$defs/Node' }), { $defs: { Node } });
    const plain = Array.from({ length: 128 }, () => schemas.plain(schema));
    expect(JSON.stringify(plain[0]).length).toBeLessThan(1_000_000);
    expect(plain.filter((one) => one !== schema).length).toBeLessThan(10);
  });

  it('joins what has to hold together, and requires no property that there is not', () => {
    const schema = object(
      { a: { type: 'string' } },
      { allOf: [object({ b: { type: 'number' } }, { required: ['b'] })], required: ['a', 'c'] },
    );
    expect(plainSchema(schema)).toEqual(
      object({ a: { type: 'string' }, b: { type: 'number' } }, { required: ['a', 'b'] }),
    );
  });

  it('is an object with properties, whatever was listed', () => {
    expect(plainSchema({})).toEqual(object({}));
    expect(plainSchema({ $schema: 'x', type: 'object', additionalProperties: false })).toEqual(object({}));
    const alternatives = [{ required: ['a'] }, { required: ['b'] }];
    expect(plainSchema(object({ a: {}, b: {} }, { anyOf: alternatives }))).toEqual(
      object({ a: { type: 'string' }, b: { type: 'string' } }),
    );
    expect(plainSchema({ oneOf: [object({ a: {} }, { required: ['a'] }), object({ b: {} })] })).toEqual(
      object({ b: { type: 'string' }, a: { type: 'string' } }),
    );
  });

  it('keeps properties that are called as the words of a schema', () => {
    expect(propertyOf(object({ pattern: { type: 'string' }, default: { type: 'number' } }))).toEqual(
      object({ pattern: { type: 'string' }, default: { type: 'number' } }),
    );
  });
});
