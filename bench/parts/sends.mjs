import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, warmUp } from '../servers.mjs';

/**
 * Sends per second that one core admits: hold, thread and messages committed, and acknowledged. The CPU of a whole one-token
 * answer is given in floor tokens: divided by what the floor spends on one token at 200 × 50.
 */
export async function run(context) {
  const { harness, upstream, quick, runLoad, members } = context;
  const { url, cookies } = await members(1000);
  const server = await startProduct(harness, url, upstream);
  const plan = {
    mode: 'sends',
    kind: 'chat',
    target: { ...server.target, cookies },
    users: 1000,
    inFlight: 64,
    seconds: quick ? 3 : 6,
    watched: { server: server.pid, storage: harness.storagePids },
  };
  const answered = await runLoad({ ...plan, waits: 'end', tokens: 1, tps: 50, warm: warmUp(quick) });
  const admitted = await runLoad({ ...plan, waits: 'ack', words: 'hold', warm: 1 });
  await server.end('SIGKILL');
  const floorToken = await cpuOfFloorToken(context);
  const floorTokens = (name) => answered.cpu[name] / answered.answers / floorToken;
  return [
    figure('sends admitted a second, 64 in flight', admitted.admittedASecond, '', { atLeast: 1500 }),
    figure('CPU of the server for one admitted send', admitted.cpuPerAdmitted * 1000, 'ms'),
    figure('one-token answers a second, stored and charged', answered.answers / answered.seconds, ''),
    figure('one-token answer: CPU of the server, in floor tokens', floorTokens('server'), '', { atMost: 50 }),
    figure('one-token answer: CPU of Postgres and Redis, in floor tokens', floorTokens('storage'), '', { atMost: 40 }),
    figure('one-token answer: CPU of the server', (answered.cpu.server / answered.answers) * 1000, 'ms'),
    figure('floor: CPU of one token at 200 × 50', floorToken * 1_000_000, 'µs'),
    figure('sends refused or failed', admitted.failures + answered.failures, '', { atMost: 0 }),
  ];
}

/** CPU time that the floor spends on one token, s. */
async function cpuOfFloorToken({ upstream, quick, runLoad }) {
  const server = await startPassThrough(upstream);
  const { cpuPerMillion } = await runLoad({
    mode: 'steady',
    kind: server.kind,
    target: server.target,
    users: 200,
    tps: 50,
    tokens: 250,
    warm: quick ? 2 : 5,
    seconds: quick ? 4 : 8,
    watched: { server: server.pid },
  });
  await server.end('SIGKILL');
  return cpuPerMillion.server / 1_000_000;
}
