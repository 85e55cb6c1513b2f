/** What the keyboard can ask for; whoever shows the thing listens. */
export const COMMANDS = [
  'new-chat',
  'focus-composer',
  'search',
  'find',
  'stop',
  'toggle-sidebar',
  'shortcuts',
] as const;
export type Command = (typeof COMMANDS)[number];

export interface Shortcut {
  command: Command;
  label: string;
  /** Keys as shown; Ctrl stands for Cmd on a Mac. */
  keys: string[];
}

export const SHORTCUTS: readonly Shortcut[] = [
  { command: 'new-chat', label: 'New chat', keys: ['Ctrl', 'Shift', 'O'] },
  { command: 'focus-composer', label: 'Write a message', keys: ['Shift', 'Esc'] },
  { command: 'search', label: 'Search chats', keys: ['Ctrl', 'K'] },
  { command: 'find', label: 'Find in this conversation', keys: ['Ctrl', 'Shift', 'F'] },
  { command: 'stop', label: 'Stop the answer', keys: ['Ctrl', '.'] },
  { command: 'toggle-sidebar', label: 'Show or hide the sidebar', keys: ['Ctrl', 'Shift', 'S'] },
  { command: 'shortcuts', label: 'Show these shortcuts', keys: ['Ctrl', '/'] },
];

type Keys = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** The command of a key press, null for any other key. */
export function commandOf(event: Keys): Command | null {
  if (event.altKey) return null;
  const main = event.key === 'Escape' ? 'ESC' : event.key.toUpperCase();
  const found = SHORTCUTS.find(
    ({ keys }) =>
      keys[keys.length - 1]?.toUpperCase() === main &&
      keys.includes('Ctrl') === (event.ctrlKey || event.metaKey) &&
      keys.includes('Shift') === event.shiftKey,
  );
  return found?.command ?? null;
}

type Listener = () => void;
const listeners = new Map<Command, Set<Listener>>();

export function runCommand(command: Command): void {
  listeners.get(command)?.forEach((listener) => listener());
}

/** Listens to a command; returns the way to stop. */
export function onCommand(command: Command, listener: Listener): () => void {
  const set = listeners.get(command) ?? new Set<Listener>();
  listeners.set(command, set.add(listener));
  return () => set.delete(listener);
}
