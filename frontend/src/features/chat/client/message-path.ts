import type { Message } from '@tanya/contract';
import type { Page } from '../../../app/api/api-client';

/** The part of a thread's active path that this page has loaded, oldest first; the cursor leads to older ones. */
export type MessagePath = Page<Message>;

/**
 * Puts new messages at their place in the path: all that hung on their parent before is another version now and leaves
 * the screen. Sending, editing and regenerating are the same move.
 */
export function graft(path: MessagePath, added: Message[]): MessagePath {
  const first = added[0];
  if (!first) return path;
  const known = path.items.findIndex((message) => message.id === first.id);
  if (known !== -1) return { ...path, items: [...path.items.slice(0, known), ...added] };
  if (first.parentId === null) return { items: [...added], nextCursor: null };
  const parent = path.items.findIndex((message) => message.id === first.parentId);
  const kept = parent === -1 ? [] : path.items.slice(0, parent + 1);
  return { ...path, items: [...kept, ...added] };
}

/** Takes the newer state of a message; a message that is not on the path changes nothing. */
export function replaceMessage(path: MessagePath, message: Message): MessagePath {
  if (!path.items.some((known) => known.id === message.id)) return path;
  return { ...path, items: path.items.map((known) => (known.id === message.id ? message : known)) };
}

export function prependOlder(path: MessagePath, older: MessagePath): MessagePath {
  const known = new Set(path.items.map((message) => message.id));
  const added = older.items.filter((message) => !known.has(message.id));
  return { items: [...added, ...path.items], nextCursor: older.nextCursor };
}

/**
 * A freshly read newest page over what was loaded before. Older pages stay while the new page still hangs on them;
 * after a switch to another version further up they are dropped and loaded again on demand. An answer that has ended
 * here stays ended: the read may have begun before its end.
 */
export function mergeNewest(before: MessagePath | undefined, newest: MessagePath): MessagePath {
  if (!before) return newest;
  const ended = new Map(before.items.filter(({ status }) => status !== 'streaming').map((item) => [item.id, item]));
  const items = newest.items.map((item) => (item.status === 'streaming' ? (ended.get(item.id) ?? item) : item));
  const first = items[0];
  const parent = first ? before.items.findIndex((message) => message.id === first.parentId) : -1;
  if (parent === -1) return { ...newest, items };
  return { items: [...before.items.slice(0, parent + 1), ...items], nextCursor: before.nextCursor };
}
