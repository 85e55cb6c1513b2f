import { setTimeout as sleep } from 'node:timers/promises';
import { figure, median } from '../figures.mjs';
import { startProduct, warmUp } from '../servers.mjs';

/** Time until the answers of disconnected users have ended, ms. */
const REST = 8_000;

/** Pause between two sends of one user, ms; the rate limit allows two a second. */
const PAUSE = 550;

/**
 * Three hostile answers beside 50 ordinary ones: 1,000 tokens a second, one delta of 5 MB, an endless answer. The goal for
 * the ordinary ones is that of an undisturbed server.
 */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(1000);
  const server = await startProduct(harness, url, upstream);
  const watched = { server: server.pid, storage: harness.storagePids };
  const others = {
    mode: 'steady',
    kind: 'chat',
    users: 50,
    tps: 50,
    tokens: 250,
    warm: warmUp(quick),
    seconds: quick ? 5 : 20,
    watched,
  };
  const of = (from, to) => ({ ...server.target, cookies: cookies.slice(from, to) });
  const calm = await runLoad({ ...others, target: of(0, 200) });
  await sleep(REST);
  const words = ['tokens=100000 tps=1000', 'size=5000000', 'tokens=1000000 tps=0'];
  const [disturbed] = await Promise.all([
    runLoad({ ...others, target: of(0, 200) }),
    ...words.map((each, index) =>
      runLoad({
        mode: 'sends',
        kind: 'chat',
        target: of(300 + index, 301 + index),
        users: 1,
        inFlight: 1,
        waits: 'end',
        words: each,
        pause: PAUSE,
        tokens: 0,
        warm: others.warm,
        seconds: others.seconds,
        watched,
      }),
    ),
  ]);
  await server.end('SIGKILL');
  return [
    figure('beside hostile answers: p99 of the others in a typical second', median(disturbed.p99s), 'ms', {
      atMost: 8,
    }),
    figure('without them: p99 in a typical second', median(calm.p99s), 'ms'),
    figure('beside hostile answers: p99 over all', disturbed.delay.p99, 'ms'),
    figure('without them: p99 over all', calm.delay.p99, 'ms'),
    figure('beside hostile answers: resident memory', disturbed.serverKb / 1024, 'MB'),
  ];
}
