import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { isMainThread, Worker } from 'node:worker_threads';

/**
 * Preloaded into a server under test with `--import`. V8 counts every call of a function, whether it is optimized or not, so
 * the counts are the same on any machine. Each request to CALL_COUNTS_PORT is answered with the calls since the last one:
 * `[{ url, functions: [{ name, offset, calls }] }]`. A worker asks V8, so that these requests are not counted.
 */
if (isMainThread) new Worker(new URL(import.meta.url), { execArgv: [] }).unref();
else countMainThread();

function countMainThread() {
  const session = new Session();
  session.connectToMainThread();
  const started = session
    .post('Profiler.enable')
    .then(() => session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false }));
  createServer(async (_request, response) => {
    await started;
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const counts = result.map(({ url, functions }) => ({
      url,
      functions: functions.map(called).filter(({ calls }) => calls > 0),
    }));
    response.end(JSON.stringify(counts.filter(({ functions }) => functions.length > 0)));
  }).listen(Number(process.env.CALL_COUNTS_PORT), '127.0.0.1');
}

function called({ functionName, ranges }) {
  return { name: functionName, offset: ranges[0].startOffset, calls: ranges[0].count };
}
