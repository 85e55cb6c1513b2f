import { withOfferedTools } from './offered-tools.js';

const shell = { type: 'function', name: 'shell' };
const search = { type: 'web_search' };

const offered = (body: Record<string, unknown>) => withOfferedTools(body)['tools'];

it('leaves a search of the web out beside other tools alone', () => {
  expect(offered({ tools: [shell, search] })).toEqual([shell]);
  expect(offered({ tools: [search] })).toEqual([search]);
  expect(offered({ tools: [shell, { type: 'web_searching' }] })).toHaveLength(2);
});

it.each([{}, { tools: null }, { tools: 'shell' }, { tools: [], input: [{ type: 'additional_tools', tools: 'x' }] }])(
  'leaves a body without tools as it is: %j',
  (body) => expect(withOfferedTools(body)).toBe(body),
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

it('keeps entries that are no tools, which validation refuses', () => {
  expect(offered({ tools: [shell, null, 7], input: [null, { type: 'additional_tools', tools: [[]] }] })).toEqual([
    shell,
    null,
    7,
    [],
  ]);
});
