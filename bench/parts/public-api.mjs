import { figure } from '../figures.mjs';
import { startPassThrough, startProduct, warmUp } from '../servers.mjs';

/** Definitions of tools as agents send them. */
const TOOLS = ['read_file', 'list_files', 'search_files'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: 'Reads the workspace. Returns an error when the path does not exist or is outside of the workspace.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path below the root of the workspace' },
        pattern: { type: 'string', description: 'Regular expression that a line must match' },
        limit: { type: 'integer', minimum: 1, maximum: 1000 },
      },
      required: ['path'],
      additionalProperties: false,
    },
  },
}));

/** Cost of a token on the OpenAI-compatible API. */
export async function run({ harness, upstream, quick, runLoad, members }) {
  const { url, keys } = await members(1000);
  const results = {};
  const product = () => startProduct(harness, url, upstream);
  for (const [name, start, path, tools] of [
    ['floor', () => startPassThrough(upstream), '/v1/chat/completions'],
    ['product', product, '/api/v1/chat/completions'],
    ...(quick ? [] : [['withTools', product, '/api/v1/chat/completions', TOOLS]]),
  ]) {
    const server = await start();
    const target = { port: server.port, path, keys };
    const watched = { server: server.pid, storage: harness.storagePids };
    const plan = { mode: 'steady', kind: 'sse', target, users: 200, tps: 50, tokens: 250, watched, tools };
    results[name] = await runLoad({ ...plan, warm: warmUp(quick), seconds: quick ? 4 : 8 });
    await server.end('SIGKILL');
  }
  return figuresOf(results);
}

function figuresOf({ floor, product, withTools }) {
  return [
    figure(
      'public API, streaming: CPU per token, product / floor',
      product.cpuPerMillion.server / floor.cpuPerMillion.server,
      '×',
      { atMost: 0.9 },
    ),
    ...(withTools
      ? [
          figure(
            'public API, streaming with tools: CPU per token, product / floor',
            withTools.cpuPerMillion.server / floor.cpuPerMillion.server,
            '×',
            { atMost: 0.9 },
          ),
        ]
      : []),
    figure('public API, streaming: added per token, p99', product.delay.p99, 'ms', { atMost: 45 }),
    figure('public API, streaming: added per token, floor, p99', floor.delay.p99, 'ms'),
    figure('public API, streaming: short or failed answers', failuresOf(product) + failuresOf(withTools), '', {
      atMost: 0,
    }),
  ];
}

const failuresOf = ({ short, failures } = { short: 0, failures: 0 }) => short + failures;
