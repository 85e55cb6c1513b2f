import { hasCode } from '../api/api-error';
import { queryClient } from '../queries/query-client';
import { threadQuery } from '../queries/threads.query';
import { ownKey, saveDrafts } from '../storage/drafts';
import type { Owner } from '../storage/owner';
import { readStored, storedKeys } from '../storage/stored';

const READS_TIMEOUT_MS = 2_000;

/** More drafts than this count without reads: one of them surely has a thread. */
const MOST_READS = 10;

/**
 * Whether an owner has a draft with text, other than of a deleted thread; the newest typing is stored first. True if the
 * threads cannot be read in time.
 */
export async function hasDraftText(owner: Owner): Promise<boolean> {
  saveDrafts();
  const prefix = ownKey(owner, '');
  const isDraft = (key: string) => key.startsWith(prefix) && /\.(\d+|new)$/.test(key);
  const keys = storedKeys().filter((key) => isDraft(key) && readStored(key)?.trim());
  const names = keys.map((key) => key.slice(prefix.length));
  if (names.includes('new') || names.length > MOST_READS) return true;
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), READS_TIMEOUT_MS)));
  const exist = Promise.all(names.map((name) => mayExist(Number(name)))).then((answers) => answers.includes(true));
  return Promise.race([exist, timeout]).finally(() => clearTimeout(timer));
}

async function mayExist(threadId: number): Promise<boolean> {
  try {
    await queryClient.fetchQuery(threadQuery(threadId));
    return true;
  } catch (error) {
    return !hasCode(error, 'not_found');
  }
}
