import { figure } from '../figures.mjs';
import { startProduct } from '../servers.mjs';

/** Sends that one core admits: quota held, thread and messages committed, acknowledged. */
export async function run({ ground, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(1000);
  const measure = async (plan) => {
    const server = await startProduct(ground, url, upstream);
    const target = { ...server.target, cookies };
    const watched = { server: server.pid, storage: ground.storagePids };
    const seconds = quick ? 3 : 6;
    const result = await runLoad({
      mode: 'sends',
      kind: 'chat',
      target,
      users: 1000,
      inFlight: 64,
      warm: 1,
      seconds,
      watched,
      ...plan,
    });
    await server.end('SIGKILL');
    return result;
  };
  const admitted = await measure({ waits: 'ack', words: 'hold' });
  const answered = await measure({ waits: 'end', tokens: 1, tps: 50 });
  return [
    figure('sends admitted a second, 64 in flight', admitted.admittedASecond, '', { atLeast: 1500 }),
    figure('CPU of the server for one admitted send', admitted.cpuPerAdmitted * 1000, 'ms'),
    figure('one-token answers a second, stored and charged', answered.answers / answered.seconds, ''),
    figure('sends refused or failed', admitted.failures + answered.failures, '', { atMost: 0 }),
  ];
}
