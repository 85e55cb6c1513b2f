import { TOOL_SERVER_LIMITS } from '@tanya/contract';
import { hashOf, usableTools } from './tool-definitions.js';

const listed = (fields: object = {}) => ({
  name: 'lookup',
  description: 'Looks up a word.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
  ...fields,
});

const nested = (levels: number): Record<string, unknown> =>
  levels === 0 ? { type: 'object' } : { type: 'object', properties: { next: nested(levels - 1) } };

const one = (fields: object) => usableTools([listed(fields)]);

describe('usableTools', () => {
  it('gives each tool a title and a hash of its definition', async () => {
    const { tools, leftOut } = await usableTools([listed(), listed({ name: 'other', title: 'Other' })]);
    expect(tools.map(({ name, definition }) => [name, definition.title])).toEqual([
      ['lookup', 'lookup'],
      ['other', 'Other'],
    ]);
    expect(tools[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(leftOut).toEqual([]);
  });

  it('keeps the first of two tools with one name', async () => {
    const { tools, leftOut } = await usableTools([listed(), listed({ description: 'Another one.' })]);
    expect(tools.map(({ definition }) => definition.description)).toEqual(['Looks up a word.']);
    expect(leftOut).toEqual([{ name: 'lookup', reason: 'duplicate' }]);
  });

  it.each([
    [
      'a schema that is too large',
      { inputSchema: { type: 'object', description: 'x'.repeat(1024 * 1024) } },
      'too_large',
    ],
    ['a schema that is nested too deeply', { inputSchema: nested(5_000) }, 'too_deep'],
    ['an empty name', { name: ' ' }, 'no_name'],
    ['no name', { name: undefined }, 'no_name'],
    ['a name that is no text', { name: 7 }, 'no_name'],
    ['a name that is too long', { name: 'x'.repeat(TOOL_SERVER_LIMITS.toolName.max + 1) }, 'unusable_name'],
    ['a tool that runs as a task alone', { execution: { taskSupport: 'required' } }, 'task_only'],
    ['a name that cannot be stored', { name: 'a\0b' }, 'unusable_name'],
  ])('leaves out %s and names it with the reason (TOOL-6)', async (_, fields, reason) => {
    const { tools, leftOut } = await usableTools([listed(fields), listed({ name: 'good' })]);
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    expect(leftOut).toEqual([{ name: reason === 'no_name' ? null : expect.any(String), reason }]);
  });

  it.each([null, 'lookup', 7, ['lookup'], true])('leaves out %j, which is no tool', async (entry) => {
    const { tools, leftOut } = await usableTools([entry, listed()]);
    expect([tools.length, leftOut]).toEqual([1, [{ name: null, reason: 'no_name' }]]);
  });

  it.each([
    ['no schema', { inputSchema: undefined }],
    ['a null schema', { inputSchema: null }],
    ['a schema that is a list', { inputSchema: [] }],
    ['a null description', { description: null }],
    ['a null title', { title: null }],
    ['null annotations', { annotations: null }],
    ['a hint that is no boolean', { annotations: { readOnlyHint: 'true', title: 5 } }],
    ['a description of several texts', { description: ['a', 'b'] }],
    ['an output of another kind', { outputSchema: { type: 'string' } }],
    ['icons of an older form', { icons: [{ src: 'https://x.example/i.png', sizes: '48x48' }] }],
    ['an unknown kind of execution', { execution: { taskSupport: 'sometimes' } }],
  ])('takes a tool with %s', async (_, fields) => {
    const { tools, leftOut } = await one(fields);
    expect(leftOut).toEqual([]);
    expect(tools[0]).toMatchObject({ name: 'lookup', definition: { title: 'lookup' } });
  });

  it.each(['input_schema', 'parameters'])('reads a schema that is called %s', async (name) => {
    const { inputSchema, ...rest } = listed();
    const { tools } = await usableTools([{ ...rest, [name]: inputSchema }]);
    expect(tools[0]!.definition.schema).toEqual(inputSchema);
  });

  it('cuts a long list', async () => {
    const many = Array.from({ length: 200 }, (_, index) => listed({ name: `tool-${index}` }));
    const { tools, leftOut } = await usableTools(many);
    expect([tools.length, leftOut.length]).toEqual([TOOL_SERVER_LIMITS.tools, 200 - TOOL_SERVER_LIMITS.tools]);
    expect(leftOut[0]).toEqual({ name: `tool-${TOOL_SERVER_LIMITS.tools}`, reason: 'too_many' });
  });

  it('cuts long texts and removes what cannot be stored', async () => {
    const [tool] = (await one({ description: `\0${'x'.repeat(5_000)}`, title: 'a\ud800b' })).tools;
    expect(tool!.definition).toMatchObject({ description: 'x'.repeat(1_024), title: 'a\ufffdb' });
    const [untitled] = (await one({ name: `${'x'.repeat(99)}💥`, title: ' ' })).tools;
    expect(untitled!.definition.title).toBe(`${'x'.repeat(99)}\ufffd`);
  });
});

describe('hashOf', () => {
  const definition = { title: 'T', description: 'D', schema: { a: 1, b: { c: 2, d: 3 } } };

  it('ignores the order of keys', () => {
    expect(hashOf({ ...definition, schema: { b: { d: 3, c: 2 }, a: 1 } })).toBe(hashOf(definition));
  });

  it('ignores the order of required fields and of types, and no other', () => {
    const hashWith = (field: string, ...list: string[]) => hashOf({ ...definition, schema: { b: { [field]: list } } });
    const differs = (field: string) => hashWith(field, 'x', 'y') !== hashWith(field, 'y', 'x');
    expect(['required', 'type', 'enum'].filter(differs)).toEqual(['enum']);
    expect(hashWith('required', 'x')).not.toBe(hashWith('required', 'x', 'y'));
  });

  it('differs for another schema, description or title', () => {
    const others = [{ schema: { a: 2 } }, { description: 'E' }, { title: 'U' }];
    const hashes = [definition, ...others.map((other) => ({ ...definition, ...other }))].map(hashOf);
    expect(new Set(hashes).size).toBe(4);
  });
});
