import { type Message, PUBLIC_FACTS, type PublicSettings, SETTINGS, type Thread, type User } from '@tanya/contract';
import type { Query } from '@tanstack/react-query';
import type { Page } from '../api/api-client';
import { defaultModelQuery, modelsQuery } from '../queries/models.query';
import { preferencesQuery } from '../queries/preferences.query';
import { queryClient } from '../queries/query-client';
import { QUERY_KEYS } from '../queries/query-keys';
import { settingsQuery } from '../queries/settings.query';
import type { ThreadPages } from '../queries/thread-list';
import { threadMessagesQuery, threadsPath, threadsQuery } from '../queries/threads.query';
import { currentUserQuery, quotaQuery } from '../queries/user.query';
import { registerServiceWorker } from './service-worker';
import { onOwnerChanged, onOwnerLeft, pageOwner } from '../session/page-owner';
import { GUEST, type Owner } from '../storage/owner';
import { CHATS_CACHE, keepChatsOf, keepsChatsOf } from '../storage/kept-chats';

/** The chats that are kept, those that were read last. */
const KEPT_CHATS = 30;

const SAVE_DELAY_MS = 1_000;

/** Fields of the settings that everyone may read; an admin's page has them all. */
const isPublic = (name: string): boolean =>
  (PUBLIC_FACTS as readonly string[]).includes(name) ||
  (name in SETTINGS && 'isPublic' in SETTINGS[name as keyof typeof SETTINGS]);

/**
 * Keeps what the page has read of the account's chats in a cache of the browser, from which the service worker answers
 * without a connection. Only for an account that logged in with 'Remember me' on this browser; the cache is deleted when the
 * page shows anyone else.
 */
export function keepChats(): void {
  // Without HTTPS a browser has neither.
  if (!('serviceWorker' in navigator) || !('caches' in window)) return;
  void registerServiceWorker();
  onOwnerLeft(() => void forgetChats());
  onOwnerChanged((before) => void followOwner(before));
  void followOwner(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.state.status !== 'success' || isOfAdmins(query)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void save(), SAVE_DELAY_MS);
  });
}

const isOfAdmins = ({ queryKey }: Pick<Query, 'queryKey'>): boolean => queryKey[0] === QUERY_KEYS.admin[0];

/** @param before the owner that the page has shown until now; null for a new page */
async function followOwner(before: Owner | null): Promise<void> {
  const owner = pageOwner();
  // The session has not been read.
  if (owner === null) return;
  const keeper = keepsChatsOf();
  if (owner === keeper) return save();
  // A keeper who was never shown here has just logged in in another tab.
  if (before === null || keeper === null || keeper === before) await forgetChats();
}

async function forgetChats(): Promise<void> {
  keepChatsOf(null);
  savedAt.clear();
  await caches.delete(CHATS_CACHE);
}

const isKept = (): boolean => {
  const owner = pageOwner();
  return owner !== null && owner !== GUEST && owner === keepsChatsOf();
};

/** One save after the other. */
let saving: Promise<void> = Promise.resolve();

/** A disk without room keeps what it has; the next save tries again. */
function save(): Promise<void> {
  saving = saving.then(writeOfKeeper).catch(() => undefined);
  return saving;
}

async function writeOfKeeper(): Promise<void> {
  if (!isKept()) return;
  try {
    await write();
  } finally {
    // A logout during the save has deleted the cache, which the save has opened again.
    if (!isKept()) await caches.delete(CHATS_CACHE);
  }
}

async function write(): Promise<void> {
  const cache = await caches.open(CHATS_CACHE);
  // The service worker has deleted the cache since the last save.
  if ((await cache.keys()).length === 0) savedAt.clear();
  for (const { path, body, nextCursor, readAt } of answers()) {
    if (readAt !== undefined && savedAt.get(path) === readAt) continue;
    const headers = { 'Content-Type': 'application/json', ...(nextCursor && { 'X-Next-Cursor': nextCursor }) };
    // The order of the cache is that of the reads.
    await cache.delete(path);
    await cache.put(path, new Response(JSON.stringify(body), { headers }));
    if (readAt !== undefined) savedAt.set(path, readAt);
  }
  await removeChats(cache);
}

/** Removes the chats that were deleted, and those that were read before the last ones. */
async function removeChats(cache: Cache): Promise<void> {
  const threads = queryClient.getQueryData(threadsQuery().queryKey)?.pages.flatMap(({ items }) => items);
  if (threads === undefined) return;
  const listed = new Set(threads.map(({ id }) => `/api/chat/threads/${id}/messages`));
  const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname);
  const chats = paths.filter((path) => path.endsWith('/messages'));
  const kept = new Set(chats.filter((path) => listed.has(path)).slice(-KEPT_CHATS));
  for (const path of chats) {
    if (kept.has(path)) continue;
    await cache.delete(path);
    await cache.delete(path.replace(/\/messages$/, ''));
  }
}

interface Answer {
  path: string;
  body: unknown;
  nextCursor?: string | null;
  /** When it was read, ms; absent for answers that are saved each time. */
  readAt?: number;
}

/** The answers of the server that the page holds now. */
function answers(): Answer[] {
  const found: Answer[] = [];
  const add = (path: string, body: unknown, more: Partial<Answer> = {}) => {
    if (body !== undefined) found.push({ path, body, ...more });
  };
  const read = <T>(queryKey: readonly unknown[]) => queryClient.getQueryData<T>(queryKey);
  const user = read<User>(currentUserQuery.queryKey);
  add('/api/session', user && { user });
  const settings = read<PublicSettings>(settingsQuery.queryKey);
  add(
    '/api/general-settings',
    settings && Object.fromEntries(Object.entries(settings).filter(([name]) => isPublic(name))),
  );
  add('/api/models', read(modelsQuery.queryKey));
  add('/api/settings/default-model', read(defaultModelQuery.queryKey));
  add('/api/user/quota', read(quotaQuery.queryKey));
  add('/api/user/preferences', user && read(preferencesQuery(user.id).queryKey));
  const threads = read<ThreadPages>(threadsQuery().queryKey)?.pages.flatMap(({ items }) => items);
  add(threadsPath(null), threads);
  for (const thread of threads ?? []) addThread(thread);
  return found;

  /** Temporary chats are in no list. */
  function addThread(thread: Thread): void {
    const query = queryClient.getQueryCache().find({ queryKey: threadMessagesQuery(thread.id).queryKey, exact: true });
    const messages = query?.state.data as Page<Message> | undefined;
    if (!messages) return;
    const readAt = query!.state.dataUpdatedAt;
    add(`/api/chat/threads/${thread.id}`, thread, { readAt });
    add(`/api/chat/threads/${thread.id}/messages`, messages.items, { nextCursor: messages.nextCursor, readAt });
  }
}

/** When the messages that are in the cache were read, by address. */
const savedAt = new Map<string, number>();
