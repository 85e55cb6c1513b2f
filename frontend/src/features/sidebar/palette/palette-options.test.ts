import type { Thread } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { filterCommands, groupsOf } from './palette-options';
import type { PaletteCommand } from './use-palette-commands';

const command = (id: string, name: string, also?: string): PaletteCommand => ({
  id,
  name,
  also,
  icon: Plus,
  run: () => undefined,
});

const commands = [
  command('new', 'New chat'),
  command('dark', 'Theme: dark', 'Colour'),
  command('archive', 'Archive é'),
];
const thread = { id: 7, title: 'Harbour' } as Thread;

describe('the commands of the palette', () => {
  it.each([
    ['new', ['new']],
    ['CHAT n', ['new']],
    ['col', ['dark']],
    ['hat', []],
    ['archive e', ['archive']],
    ['', ['new', 'dark', 'archive']],
  ])('match %j by the beginnings of words', (query, ids) => {
    expect(filterCommands(commands, query).map(({ id }) => id)).toEqual(ids);
  });
});

describe('the groups of the palette', () => {
  it('begin with recent threads while nothing is typed', () => {
    expect(groupsOf('', commands, [thread], []).map(({ name }) => name)).toEqual(['recent', 'commands']);
    expect(groupsOf('', commands, [], []).map(({ name }) => name)).toEqual(['commands']);
  });

  it('begin with matching commands, and leave empty groups out', () => {
    const found = [{ thread, match: null }];
    expect(groupsOf('new', commands, [thread], found).map(({ name }) => name)).toEqual(['commands', 'found']);
    expect(groupsOf('zebra', commands, [thread], [])).toEqual([]);
  });
});
