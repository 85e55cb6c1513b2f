import { figure } from '../figures.mjs';
import { startProduct, startRelay } from '../servers.mjs';

/** What a socket that waits and an answer that is being written weigh. */
export async function run({ ground, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(3000);
  const idle = async (start, plan) => {
    const server = await start();
    const target = { ...server.target, cookies };
    const watched = { server: server.pid };
    const result = await runLoad({ mode: 'idle', kind: 'chat', target, watched, warm: 3, ...plan });
    await server.end('SIGKILL');
    return result;
  };
  const product = () => startProduct(ground, url, upstream);
  const sockets = quick ? 1500 : 5000;
  const waiting = await idle(product, { users: sockets, tokens: 0 });
  const bare = await idle(() => startRelay(upstream), { users: sockets, tokens: 0 });
  const writing = await idle(product, { users: 400, tokens: 5000, tps: 20, warm: 6 });
  return [
    figure('memory of an idle socket, product', waiting.kbEach, 'KB', { atMost: 16 }),
    figure('memory of an idle socket, bare relay', bare.kbEach, 'KB'),
    figure('memory of a live stream with its socket, product', writing.kbEach, 'KB', { atMost: 60 }),
    figure('resident memory of the idle server', waiting.before / 1024, 'MB', { atMost: 150 }),
  ];
}
