import { figure } from '../figures.mjs';
import { startProduct, startRelay } from '../servers.mjs';

/** Idle time after which Node has returned the memory of a start or of many arrivals, s. */
const REST = 25;

/** Memory of an idle socket and of a running answer. */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, cookies } = await members(3000);
  const idle = async (start, plan) => {
    const server = await start();
    const target = { ...server.target, cookies };
    const watched = { server: server.pid };
    const result = await runLoad({ mode: 'idle', kind: 'chat', target, watched, rest: REST, ...plan });
    await server.end('SIGKILL');
    return result;
  };
  const product = () => startProduct(harness, url, upstream);
  const sockets = quick ? 1500 : 5000;
  const waiting = await idle(product, { users: sockets, tokens: 0, warm: REST });
  const bare = await idle(() => startRelay(upstream), { users: sockets, tokens: 0, warm: REST });
  // One-time costs of the first streams, such as compiled code and heap growth, are excluded by the difference.
  const [few, many] = quick ? [200, 500] : [200, 800];
  const writing = (users) => idle(product, { users, tokens: 5000, tps: 10, warm: 6 });
  const [withFew, withMany] = [await writing(few), await writing(many)];
  return [
    figure('memory of an idle socket, product', waiting.kbEach, 'KB', { atMost: 14 }),
    figure('memory of an idle socket, bare relay', bare.kbEach, 'KB'),
    figure('memory of one more live stream with its socket', (withMany.after - withFew.after) / (many - few), 'KB', {
      atMost: 60,
    }),
    figure(`memory of ${few} live streams, all that the server grew by`, (withFew.after - withFew.before) / 1024, 'MB'),
    figure('resident memory of the idle server', waiting.before / 1024, 'MB', { atMost: 150 }),
  ];
}
