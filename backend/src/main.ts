import cluster from 'node:cluster';
import { createApp } from './app.js';
import { type Env, EnvError, processEnv, readEnv } from './config/env.js';
import { listenProblem, shownHost } from './config/listen-problem.js';
import { prepareDataDir } from './platform/system/data-dir.js';
import { reportFatal, superviseWorkers, workerInfo } from './workers.js';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

async function serve(env: Env): Promise<void> {
  const stop = new AbortController();
  const starting = createApp({ env, signal: stop.signal, worker: workerInfo() });
  // A stop during the start has to stop the embedded Postgres too.
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (stop.signal.aborted) return;
      stop.abort(new Error('Stopped during the start.'));
      starting
        .then((app) => app.close())
        .then(
          () => process.exit(0),
          () => process.exit(1),
        );
    });
  }
  const app = await starting;
  await app.listen(env.port, env.host).catch(async (error: unknown) => {
    // The embedded Postgres would go on without this process.
    await app.close().catch(() => undefined);
    throw listenProblem(error, env);
  });
  if (cluster.isWorker && cluster.worker?.id !== 1) return;
  const { port } = new URL(await app.getUrl());
  const isPublicAt = env.publicUrl === null ? '' : `, public at ${env.publicUrl.origin}`;
  console.log(`\nTanya is ready: http://${shownHost(env.host)}${port && `:${port}`}${isPublicAt}\n`);
}

async function main(): Promise<void> {
  const env = readEnv(processEnv());
  if (env.webConcurrency === 1 || cluster.isWorker) {
    await serve(env);
    return;
  }
  await prepareDataDir(env.dataDir);
  await superviseWorkers(env.webConcurrency, (line) => console.log(line));
  process.exit(0);
}

main().catch(async (error: unknown) => {
  const message = error instanceof EnvError || !(error instanceof Error) ? String(error) : error.message;
  console.error(message);
  await reportFatal(message);
  process.exit(1);
});
