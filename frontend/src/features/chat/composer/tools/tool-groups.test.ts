import type { ToolInfo } from '@tanya/contract';
import { groupByServer } from './tool-groups';

const tool = (name: string, server: ToolInfo['server'] = null): ToolInfo => ({
  name,
  title: name,
  description: '',
  server,
  policy: 'ask',
});

test('lists the built-in tools first, then each server with its tools', () => {
  const [library, archive] = [
    { id: 4, name: 'Library' },
    { id: 2, name: 'Archive' },
  ];
  const tools = [tool('a', library), tool('calculate'), tool('b', archive), tool('c', library)];
  const groups = groupByServer(tools).map((group) => [group.server?.name, ...group.tools.map(({ name }) => name)]);
  expect(groups).toEqual([
    [undefined, 'calculate'],
    ['Library', 'a', 'c'],
    ['Archive', 'b'],
  ]);
});
