import { AppError } from '../../platform/errors/app-error.js';
import { clientToolsOf, samplingOf } from './chat-parameters.js';

const paramOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.details?.[0]?.field;
    throw error;
  }
  return undefined;
};

it('sends no empty list of stop sequences', () => {
  expect(samplingOf({ messages: [], stop: [] })).toEqual({});
  expect(samplingOf({ messages: [], stop: ['a'] })).toEqual({ stop: ['a'] });
});

describe('clientToolsOf', () => {
  const tool = (name: string) => ({ type: 'function' as const, function: { name } });
  const request = { messages: [] };

  it('keeps the fields of the tools that are given', () => {
    const parameters = { type: 'object', properties: {} };
    const described = {
      type: 'function' as const,
      function: { name: 'add', description: 'Adds', parameters, strict: true },
    };
    expect(clientToolsOf({ ...request, tools: [described, tool('now')], parallel_tool_calls: false })).toEqual({
      tools: [{ name: 'add', description: 'Adds', parameters, strict: true }, { name: 'now' }],
      parallelToolCalls: false,
    });
  });

  it('gives parameters the type that their properties imply', () => {
    const sent = (parameters: Record<string, unknown>) =>
      clientToolsOf({ ...request, tools: [{ type: 'function', function: { name: 'add', parameters } }] })!.tools![0]!
        .parameters;
    const properties = { a: { type: 'string' } };
    expect([sent({ properties }), sent({ type: null, properties })]).toEqual(
      [0, 1].map(() => ({ type: 'object', properties })),
    );
    expect(sent({ anyOf: [{ type: 'object' }] })).toEqual({ anyOf: [{ type: 'object' }] });
  });

  it('takes each form of the choice', () => {
    const choose = (tool_choice: Parameters<typeof clientToolsOf>[0]['tool_choice']) =>
      clientToolsOf({ ...request, tools: [tool('add')], tool_choice })?.toolChoice;
    expect([choose('none'), choose('auto'), choose('required')]).toEqual(['none', 'auto', 'required']);
    expect(choose(tool('add'))).toEqual({ name: 'add' });
    expect(paramOf(() => choose(tool('sum')))).toBe('tool_choice');
  });

  it('offers those that are allowed', () => {
    const choose = (names: string[], mode?: 'required') =>
      clientToolsOf({
        ...request,
        tools: [tool('add'), tool('sum'), tool('now')],
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: names.map(tool) } },
      });
    expect(choose(['now', 'add'])).toEqual({ tools: [{ name: 'add' }, { name: 'now' }], toolChoice: 'auto' });
    expect(choose(['sum'], 'required')).toEqual({ tools: [{ name: 'sum' }], toolChoice: 'required' });
    expect(paramOf(() => choose(['add', 'other']))).toBe('tool_choice.allowed_tools.tools');
  });

  it('needs tools for a choice that is no default', () => {
    for (const choice of [undefined, 'none', 'auto'] as const)
      expect(clientToolsOf({ ...request, tools: [], tool_choice: choice })).toBeUndefined();
    expect(paramOf(() => clientToolsOf({ ...request, tool_choice: 'required' }))).toBe('tool_choice');
  });

  it('bounds the size of all tools', () => {
    const description = 'x'.repeat(16_000);
    const tools = Array.from({ length: 30 }, (_, index) => ({
      ...tool(`t${index}`),
      function: { name: `t${index}`, description },
    }));
    expect(paramOf(() => clientToolsOf({ ...request, tools }))).toBe('tools');
  });
});
