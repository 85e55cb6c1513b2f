import { Agent, request } from 'node:http';
import { figure, median } from '../figures.mjs';
import { startEmbedder, startProduct } from '../servers.mjs';

const INPUTS = 100;

/** Accounts that call in turn, so that their rate limits do not matter. */
const MEMBERS = 100;

/** Time that a call for embeddings of 100 texts adds to the upstream's own time: product and upstream are called in turns. */
export async function run({ harness, quick, members }) {
  const { url, keys } = await members(1000);
  const embedder = await startEmbedder();
  const server = await startProduct(harness, url, embedder);
  const input = Array.from({ length: INPUTS }, (_, index) => `${index} ${'A text of a hundred tokens. '.repeat(16)}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const figures = [];
  try {
    for (const format of ['base64', 'float']) {
      const body = JSON.stringify({ model: 'text-embedding-3-small', input, encoding_format: format });
      const direct = [];
      const through = [];
      // The first calls compile code.
      const warm = quick ? 100 : 200;
      for (let call = -warm; call < (quick ? 100 : 300); call += 1) {
        const key = keys[(call + warm) % MEMBERS];
        const own = await timed(agent, { port: embedder.port, path: '/v1/embeddings', body });
        const added = await timed(agent, { port: server.port, path: '/api/v1/embeddings', body, key });
        if (call < 0) continue;
        direct.push(own);
        through.push(added);
      }
      const name = `embeddings of ${INPUTS} texts, ${format}`;
      figures.push(
        figure(`${name}: added to the upstream's own time, p50`, median(through) - median(direct), 'ms', {
          atMost: 10,
        }),
        figure(`${name}: the upstream's own time, p50`, median(direct), 'ms'),
      );
    }
    return figures;
  } finally {
    agent.destroy();
    await server.end('SIGKILL');
    await embedder.end('SIGKILL');
  }
}

/** Milliseconds from the request to the last byte of the response. */
function timed(agent, { port, path, body, key = 'none' }) {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${key}`,
  };
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const call = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - begin);
        else reject(new Error(`${path} answered ${response.statusCode}`));
      });
    });
    call.on('error', reject).end(body);
  });
}
