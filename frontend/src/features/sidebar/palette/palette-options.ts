import type { SearchResult, Thread } from '@tanya/contract';
import { letters } from '../../../components/forms/letters';
import type { PaletteCommand } from './use-palette-commands';

export type PaletteOption =
  | { kind: 'command'; key: string; command: PaletteCommand }
  | { kind: 'thread'; key: string; thread: Thread; match: SearchResult['match'] };

export interface PaletteGroup {
  name: 'commands' | 'recent' | 'found';
  options: PaletteOption[];
}

/** The commands whose names or other words contain every word of the query at the beginning of a word. */
export function filterCommands(commands: readonly PaletteCommand[], query: string): PaletteCommand[] {
  const wanted = letters(query).split(/\s+/).filter(Boolean);
  return commands.filter(({ name, also }) => {
    const words = letters(`${name} ${also ?? ''}`).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((want) => words.some((word) => word.startsWith(want)));
  });
}

/** Without a query: recent threads, then every command. With one: the matching commands, then the found threads. */
export function groupsOf(
  query: string,
  commands: readonly PaletteCommand[],
  recent: readonly Thread[],
  found: readonly SearchResult[],
): PaletteGroup[] {
  const asOptions = (list: readonly PaletteCommand[]): PaletteOption[] =>
    list.map((command) => ({ kind: 'command', key: command.id, command }));
  const threads = (name: 'recent' | 'found', list: readonly SearchResult[]): PaletteGroup => ({
    name,
    options: list.map(({ thread, match }) => ({ kind: 'thread', key: `thread-${thread.id}`, thread, match })),
  });
  const groups: PaletteGroup[] =
    query === ''
      ? [
          threads(
            'recent',
            recent.map((thread) => ({ thread, match: null })),
          ),
          { name: 'commands', options: asOptions(commands) },
        ]
      : [{ name: 'commands', options: asOptions(filterCommands(commands, query)) }, threads('found', found)];
  return groups.filter(({ options }) => options.length > 0);
}
