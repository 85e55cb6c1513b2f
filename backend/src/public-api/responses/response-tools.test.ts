import type { ResponseToolDto } from './response-request.dto.js';
import { ToolNames, upstreamName, upstreamTools } from './response-tools.js';

const agents: ResponseToolDto = {
  type: 'namespace',
  name: 'agents',
  description: 'Sub-agents',
  tools: [
    { type: 'function', name: 'spawn', description: 'Starts one', parameters: { type: 'object' } },
    { type: 'function', name: 'wait' },
  ],
};
const shell: ResponseToolDto = { type: 'function', name: 'shell', strict: true };

it('gives the functions of a namespace names of their own, which are read back', () => {
  const tools = upstreamTools([shell, agents]);
  expect(tools.map((tool) => tool.function)).toEqual([
    { name: 'shell', strict: true },
    { name: 'agents__spawn', description: 'Sub-agents\nStarts one', parameters: { type: 'object' } },
    { name: 'agents__wait', description: 'Sub-agents' },
  ]);
  const names = new ToolNames([shell, agents]);
  expect(names.clientNameOf('agents__wait')).toEqual({ kind: 'function', namespace: 'agents', name: 'wait' });
  for (const name of ['shell', 'wait', 'unknown']) expect(names.clientNameOf(name)).toEqual({ kind: 'function', name });
});

it('shortens a long name to one that providers accept, the same each time', () => {
  const [namespace, name] = ['n'.repeat(64), 'f'.repeat(64)];
  const short = upstreamName({ namespace, name });
  expect(short).toMatch(/^[A-Za-z0-9_-]{64}$/);
  expect(upstreamName({ namespace, name })).toBe(short);
  expect(upstreamName({ namespace, name: `${name}x` })).not.toBe(short);
});

it('refuses a name that two functions share, and too many functions', () => {
  expect(() => upstreamTools([agents, { type: 'function', name: 'agents__wait' }])).toThrow(/agents__wait twice/);
  const many = Array.from({ length: 129 }, (_, index) => ({ type: 'function' as const, name: `f${index}` }));
  expect(() => upstreamTools([{ ...agents, tools: many }])).toThrow(/at most 128/);
});

it('reads no more texts than show that tools are too many or too long', () => {
  let read = 0;
  const tools = Array.from({ length: 128 }, (_, index) => ({
    type: 'function' as const,
    name: `f${index}`,
    get description() {
      read += 1;
      return 'd';
    },
  }));
  const long = { ...agents, description: 'd'.repeat(64_000), tools };
  expect(() => upstreamTools(Array.from({ length: 128 }, (_, index) => ({ ...long, name: `n${index}` })))).toThrow(
    /at most 128 functions/,
  );
  expect(read).toBe(0);
  expect(() => upstreamTools([long])).toThrow(/400000 characters/);
  expect(read).toBeLessThan(10);
});
