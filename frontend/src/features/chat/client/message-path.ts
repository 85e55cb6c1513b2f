import { isOpen, type Message } from '@tanya/contract';
import type { Page } from '../../../app/api/api-client';

/** The loaded part of a thread's active path, oldest first. The cursor leads to older messages. */
export type MessagePath = Page<Message>;

/**
 * Inserts new messages after their parent. Earlier descendants of the parent belong to another version and leave the
 * path. Sending, editing and regenerating are the same operation. A repeated ack only brings newer states.
 */
export function graft(path: MessagePath, added: Message[]): MessagePath {
  const first = added[0];
  if (!first) return path;
  if (added.every(({ id }) => path.items.some((message) => message.id === id)))
    return added.reduce(replaceMessage, path);
  const known = path.items.findIndex((message) => message.id === first.id);
  if (known !== -1) return { ...path, items: [...path.items.slice(0, known), ...added] };
  if (first.parentId === null) return { items: [...added], nextCursor: null };
  const parent = path.items.findIndex((message) => message.id === first.parentId);
  const kept = parent === -1 ? [] : path.items.slice(0, parent + 1);
  return { ...path, items: [...kept, ...added] };
}

/** Replaces a message by its newer state; a message that is not on the path changes nothing. */
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
 * Merges a newly read newest page into the loaded path. Older pages are kept if the new page continues them; after a
 * switch to another version they are dropped and loaded again on demand. A finished answer stays finished, because the
 * read may have begun before its end.
 */
export function mergeNewestMessages(before: MessagePath | undefined, newest: MessagePath): MessagePath {
  if (!before) return newest;
  const finished = new Map(before.items.filter(({ status }) => !isOpen(status)).map((item) => [item.id, item]));
  const items = newest.items.map((item) => (isOpen(item.status) ? (finished.get(item.id) ?? item) : item));
  const first = items[0];
  const parent = first ? before.items.findIndex((message) => message.id === first.parentId) : -1;
  if (parent === -1) return { ...newest, items };
  return { items: [...before.items.slice(0, parent + 1), ...items], nextCursor: before.nextCursor };
}
