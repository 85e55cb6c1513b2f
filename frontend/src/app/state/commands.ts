/** Actions that a keyboard shortcut or another part of the page can request; the component that owns one subscribes. */
export const COMMANDS = [
  'new-chat',
  'focus-composer',
  'search',
  'find',
  'stop',
  'print',
  'toggle-sidebar',
  'shortcuts',
] as const;
export type Command = (typeof COMMANDS)[number];

export interface Shortcut {
  /** The browser has its own shortcut for printing. */
  command: Exclude<Command, 'print'>;
  /** Keys as displayed; Cmd works in place of Ctrl. */
  keys: string[];
}

export const SHORTCUTS: readonly Shortcut[] = [
  { command: 'new-chat', keys: ['Ctrl', 'Shift', 'O'] },
  { command: 'focus-composer', keys: ['Shift', 'Esc'] },
  { command: 'search', keys: ['Ctrl', 'K'] },
  { command: 'find', keys: ['Ctrl', 'Shift', 'F'] },
  { command: 'stop', keys: ['Ctrl', '.'] },
  { command: 'toggle-sidebar', keys: ['Ctrl', 'Shift', 'S'] },
  { command: 'shortcuts', keys: ['Ctrl', '/'] },
];

type Listener = () => void;
const listeners = new Map<Command, Set<Listener>>();

export function runCommand(command: Command): void {
  listeners.get(command)?.forEach((listener) => listener());
}

export function onCommand(command: Command, listener: Listener): () => void {
  const set = listeners.get(command) ?? new Set<Listener>();
  listeners.set(command, set.add(listener));
  return () => set.delete(listener);
}
