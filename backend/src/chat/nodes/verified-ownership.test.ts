import { DEFAULT_TIMINGS } from '../../config/timings.js';
import { VerifiedOwnership } from './verified-ownership.js';

it('renews the heartbeat of the node before it verifies the runs after a stall, and fences those that ended', async () => {
  const steps: string[] = [];
  const run = { id: 'ended', isEnding: false, abort: (reason: string) => void steps.push(`abort: ${reason}`) };
  const ownership = new VerifiedOwnership(
    { ...DEFAULT_TIMINGS, nodeDead: 0, logFlush: 1 },
    { beat: () => Promise.resolve(void steps.push('beat')) } as never,
    { endedAmong: (ids: string[]) => Promise.resolve(void steps.push(`read: ${ids.join()}`)).then(() => ids) } as never,
    { all: [run], find: () => run } as never,
  );
  expect(ownership.isVerified).toBe(false);
  ownership.onApplicationBootstrap();
  while (!steps.some((step) => step.startsWith('abort'))) await new Promise((resolve) => setImmediate(resolve));
  ownership.onApplicationShutdown();
  expect(steps.slice(0, 3)).toEqual(['beat', 'read: ended', 'abort: fenced']);
});
