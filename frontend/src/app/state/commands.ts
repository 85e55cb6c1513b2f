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
  command: Command;
  label: string;
  /** Keys as displayed; Cmd works in place of Ctrl. */
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

type Listener = () => void;
const listeners = new Map<Command, Set<Listener>>();

export function runCommand(command: Command): void {
  listeners.get(command)?.forEach((listener) => listener());
}

/** Subscribes to a command; returns an unsubscribe function. */
export function onCommand(command: Command, listener: Listener): () => void {
  const set = listeners.get(command) ?? new Set<Listener>();
  listeners.set(command, set.add(listener));
  return () => set.delete(listener);
}
