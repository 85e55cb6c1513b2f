import { TOOL_SERVER_LIMITS } from '@tanya/contract';
import { hashOf, type ListedTool, usableTools } from './tool-definitions.js';

const listed = (fields: Partial<ListedTool> = {}): ListedTool => ({
  name: 'lookup',
  description: 'Looks up a word.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
  ...fields,
});

const nested = (levels: number): Record<string, unknown> =>
  levels === 0 ? { type: 'object' } : { type: 'object', properties: { next: nested(levels - 1) } };

const one = (fields: Partial<ListedTool>) => usableTools([listed(fields)]);

describe('usableTools', () => {
  it('gives each tool a title and a hash of its definition', () => {
    const { tools, leftOut } = usableTools([listed(), listed({ name: 'other', title: 'Other' })]);
    expect(tools.map(({ name, definition }) => [name, definition.title])).toEqual([
      ['lookup', 'lookup'],
      ['other', 'Other'],
    ]);
    expect(tools[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(leftOut).toBe(0);
  });

  it('keeps the first of two tools with one name', () => {
    const { tools, leftOut } = usableTools([listed(), listed({ description: 'Another one.' })]);
    expect(tools.map(({ definition }) => definition.description)).toEqual(['Looks up a word.']);
    expect(leftOut).toBe(1);
  });

  it.each([
    ['a schema that is too large', { inputSchema: { type: 'object', description: 'x'.repeat(1024 * 1024) } }],
    ['a schema that is nested too deeply', { inputSchema: nested(5_000) }],
    ['an empty name', { name: ' ' }],
    ['a name that is too long', { name: 'x'.repeat(TOOL_SERVER_LIMITS.toolName.max + 1) }],
    ['a name that cannot be stored', { name: 'a\0b' }],
  ])('leaves out %s (TOOL-6)', (_, fields) => expect(one(fields)).toEqual({ tools: [], leftOut: 1 }));

  it('cuts a long list', () => {
    const many = Array.from({ length: 200 }, (_, index) => listed({ name: `tool-${index}` }));
    const { tools, leftOut } = usableTools(many);
    expect([tools.length, leftOut]).toEqual([TOOL_SERVER_LIMITS.tools, 200 - TOOL_SERVER_LIMITS.tools]);
  });

  it('cuts long texts and removes what cannot be stored', () => {
    const [tool] = one({ description: `\0${'x'.repeat(5_000)}`, title: 'a\ud800b' }).tools;
    expect(tool!.definition).toMatchObject({ description: 'x'.repeat(1_024), title: 'a\ufffdb' });
    const [untitled] = one({ name: `${'x'.repeat(99)}💥`, title: ' ' }).tools;
    expect(untitled!.definition.title).toBe(`${'x'.repeat(99)}\ufffd`);
  });
});

describe('hashOf', () => {
  const definition = { title: 'T', description: 'D', schema: { a: 1, b: { c: 2, d: 3 } } };

  it('ignores the order of keys', () => {
    expect(hashOf({ ...definition, schema: { b: { d: 3, c: 2 }, a: 1 } })).toBe(hashOf(definition));
  });

  it('differs for another schema, description or title', () => {
    const others = [{ schema: { a: 2 } }, { description: 'E' }, { title: 'U' }];
    const hashes = [definition, ...others.map((other) => ({ ...definition, ...other }))].map(hashOf);
    expect(new Set(hashes).size).toBe(4);
  });
});
