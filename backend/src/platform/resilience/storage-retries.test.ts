import { AppError } from '../errors/app-error.js';
import { retryWhileStorageIsAway } from './storage-retries.js';

const AWAY = new AppError('storage_unavailable');

/** Work that fails with each error in turn and then gives the number of its attempt. */
function failing(...errors: Error[]): () => Promise<number> {
  let attempt = 0;
  return () => {
    attempt += 1;
    const error = errors[attempt - 1];
    return error === undefined ? Promise.resolve(attempt) : Promise.reject(error);
  };
}

it('repeats work until Postgres is back', async () => {
  const retries: unknown[] = [];
  const onRetry = (error: unknown): void => void retries.push(error);
  expect(await retryWhileStorageIsAway(failing(AWAY, AWAY), { timeoutMs: 60_000, onRetry })).toBe(3);
  expect(retries).toEqual([AWAY, AWAY]);
});

it('gives up at another failure, and when Postgres stays away for too long', async () => {
  const refused = new AppError('budget_exceeded');
  await expect(retryWhileStorageIsAway(failing(refused), { timeoutMs: 60_000 })).rejects.toBe(refused);
  const others = Array<Error>(100).fill(AWAY);
  await expect(retryWhileStorageIsAway(failing(...others), { timeoutMs: 0 })).rejects.toBe(AWAY);
});

it('ends with the reason of its signal, also when an attempt fails after it', async () => {
  const stop = new AbortController();
  const work = (): Promise<never> => {
    stop.abort('stopped');
    return Promise.reject(AWAY);
  };
  await expect(retryWhileStorageIsAway(work, { timeoutMs: 60_000, signal: stop.signal })).rejects.toBe('stopped');
  await expect(retryWhileStorageIsAway(failing(), { timeoutMs: 0, signal: stop.signal })).rejects.toBe('stopped');
});
