import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';

/**
 * Preloaded into a server under test with `--import`. Each request to EVENT_LOOP_PORT is answered with the idle and active
 * time of the server's event loop since its start, ms, from which the bench computes the utilisation of an interval.
 */
createServer((_request, response) => {
  const { idle, active } = performance.eventLoopUtilization();
  response.end(JSON.stringify({ idle, active }));
})
  .listen(Number(process.env.EVENT_LOOP_PORT), '127.0.0.1')
  .unref();
