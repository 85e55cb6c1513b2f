const pending = new Map<string, Set<Promise<unknown>>>();

/** Lets sends of a thread wait until a change, which their answers follow, is stored or refused. */
export function trackChange<T>(threadId: number, change: Promise<T>): Promise<T> {
  const key = String(threadId);
  const changes = pending.get(key) ?? new Set();
  pending.set(key, changes.add(change));
  const remove = () => {
    changes.delete(change);
    if (changes.size === 0) pending.delete(key);
  };
  change.then(remove, remove);
  return change;
}

/**
 * Resolves when the changes of a conversation's thread until now are stored or refused, at the latest after a time; null
 * without any.
 */
export function changesEnded(conversation: string, timeoutMs: number): Promise<unknown> | null {
  const changes = pending.get(conversation);
  if (!changes) return null;
  let timer: ReturnType<typeof setTimeout>;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  return Promise.race([Promise.allSettled(changes), timeout]).finally(() => clearTimeout(timer));
}
