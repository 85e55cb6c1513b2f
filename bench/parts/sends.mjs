import { figure } from '../figures.mjs';
import { startProduct, warmUp } from '../servers.mjs';

/** Sends per second that one core admits: hold, thread and messages committed, and acknowledged. */
export async function run({ harness, upstream, quick, runLoad, members }) {
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
  return [
    figure('sends admitted a second, 64 in flight', admitted.admittedASecond, '', { atLeast: 1500 }),
    figure('CPU of the server for one admitted send', admitted.cpuPerAdmitted * 1000, 'ms'),
    figure('one-token answers a second, stored and charged', answered.answers / answered.seconds, ''),
    figure('sends refused or failed', admitted.failures + answered.failures, '', { atMost: 0 }),
  ];
}
