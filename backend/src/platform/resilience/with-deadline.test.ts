import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { untilAborted, withDeadline } from './with-deadline.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const never = () => new Promise<never>(() => undefined);

describe('withDeadline', () => {
  it('aborts after the timeout, also when garbage is collected before it', async () => {
    const work = withDeadline(300, new AbortController().signal, (signal) => untilAborted(signal, never));
    const outcome = expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
    for (let round = 0; round < 5; round++) {
      collectGarbage();
      await sleep(20);
    }
    await outcome;
  });

  it('aborts with the other signal and its reason', async () => {
    const stop = new AbortController();
    const work = withDeadline(60_000, stop.signal, (signal) => untilAborted(signal, never));
    stop.abort(new Error('stopped'));
    await expect(work).rejects.toThrow('stopped');
  });

  it('returns the result of the work', async () => {
    expect(await withDeadline(60_000, new AbortController().signal, async () => 7)).toBe(7);
  });
});
