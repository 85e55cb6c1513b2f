import { withResponseTools } from './offered-tools.js';

const shell = { type: 'function', name: 'shell' };
const search = { type: 'web_search' };

interface Named {
  name: string;
  tools?: unknown[];
}

const offered = (body: Record<string, unknown>) => withResponseTools(body)['tools'];

it('leaves a search of the web out beside other tools alone', () => {
  expect(offered({ tools: [shell, search] })).toEqual([shell]);
  expect(offered({ tools: [search] })).toEqual([search]);
  expect(offered({ tools: [shell, { type: 'web_searching' }] })).toHaveLength(2);
});

it.each([{}, { tools: null }, { tools: 'shell' }, { tools: [], input: [{ type: 'additional_tools', tools: 'x' }] }])(
  'leaves a body without tools as it is: %j',
  (body) => expect(withResponseTools(body)).toBe(body),
);

it('looks at no more tools than show that there are too many', () => {
  const tools = Array.from({ length: 1_500 }, (_, index) => ({ ...shell, name: `f${index}` }));
  const input = Array.from({ length: 130 }, (_, index) => ({
    type: 'additional_tools',
    tools: [{ type: 'namespace', name: 'n', tools: tools.map(({ name }) => ({ ...shell, name: `${index}${name}` })) }],
  }));
  const all = offered({ input }) as { tools: unknown[] }[];
  expect(all[0]!.tools.length).toBeLessThan(1_000);
});

it('keeps each tool of a long conversation that names the same ones again and again', () => {
  const calls = Array.from({ length: 400 }, (_, index) => ({
    type: 'tool_search_output',
    tools: [
      { ...shell, name: `f${Math.floor(index / 4)}` },
      { type: 'namespace', name: 'n', tools: [shell] },
    ],
  }));
  const again = { type: 'additional_tools', tools: [{ type: 'tool_search' }, search] };
  const all = offered({ tools: [{ type: 'tool_search' }], input: [...calls, ...Array(200).fill(again)] }) as Named[];
  expect(all.map(({ name }) => name).sort()).toEqual(
    ['tool_search', 'n', ...Array.from({ length: 100 }, (_, index) => `f${index}`)].sort(),
  );
  expect(all.find(({ name }) => name === 'n')!.tools).toEqual([shell]);
});

it('keeps entries that are no tools, which validation refuses', () => {
  expect(offered({ tools: [shell, null, 7], input: [null, { type: 'additional_tools', tools: [[]] }] })).toEqual([
    shell,
    null,
    7,
    [],
  ]);
});
