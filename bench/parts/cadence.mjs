import { freePort } from '../child.mjs';
import { figure, median, short } from '../figures.mjs';
import { turningPoints } from '../load/wave.mjs';
import { eventLoopProbe, startProduct, warmUp } from '../servers.mjs';

const FEW = 20;
const MANY = 400;

/** Difference of two beats' median delay is 8 ms or more; smaller movements of the added p50 are noise, ms. */
const AMPLITUDE = 6;

/** Lines at the end by which the server must have returned to reads without pacing. */
const LAST_LINES = 3;

/** Streams from few to many and back. The last phase is longer than the product takes to leave all beats. */
const phases = (quick) => [
  { seconds: 4, to: FEW },
  { seconds: quick ? 10 : 30, to: MANY },
  { seconds: quick ? 4 : 10, to: MANY },
  { seconds: quick ? 10 : 30, to: FEW },
  { seconds: 30, to: FEW },
];

/** How the beat of paced reads follows the load: one rise and one fall of the added latency, without oscillation. */
export async function run({ harness, upstream, quick, runLoad, members, print }) {
  const { url, cookies } = await members(1000);
  const eventLoopPort = await freePort();
  const server = await startProduct(harness, url, upstream, eventLoopProbe(eventLoopPort));
  const {
    lines,
    short: cut,
    failures,
  } = await runLoad({
    mode: 'wave',
    kind: server.kind,
    target: { ...server.target, cookies },
    tps: 50,
    tokens: 250,
    from: FEW,
    phases: phases(quick),
    warm: warmUp(quick),
    eventLoopPort,
    watched: { server: server.pid },
  });
  await server.end('SIGKILL');
  print(['second', 'streams', 'p50 ms', 'p99 ms', 'event loop', 'CPU', 'tokens/event'].map(cell).join(''));
  for (const line of lines) {
    const { second, streams, delay, utilisation, busy, tokensAnEvent } = line;
    const values = [second, streams, delay.p50, delay.p99, utilisation, busy.server, tokensAnEvent];
    print(values.map(short).map(cell).join(''));
  }
  const p50s = lines.map(({ delay }) => delay.p50);
  const p99s = lines.map(({ delay }) => delay.p99);
  const name = `${FEW} → ${MANY} → ${FEW} streams`;
  return [
    figure(`${name}: turning points of the added p50`, turningPoints(p50s, AMPLITUDE), '', { atMost: 1 }),
    figure(`${name}: added per token in the worst two seconds, p99`, Math.max(...p99s), 'ms', { atMost: 150 }),
    figure(`${name}: added per token at the end, p50`, median(p50s.slice(-LAST_LINES)), 'ms', { atMost: 1 }),
    figure(`${name}: event-loop utilisation, highest`, Math.max(...lines.map((line) => line.utilisation)), ''),
    figure(`${name}: short or failed answers`, cut + failures, '', { atMost: 0 }),
  ];
}

const cell = (text) => String(text).padStart(14);
