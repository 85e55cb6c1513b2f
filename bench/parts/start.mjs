import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, root, start } from '../child.mjs';
import { figure } from '../figures.mjs';
import { residentKb } from '../load/process-use.mjs';

/** `npm start` without settings, twice on the same data, with the embedded Postgres. */
export async function run() {
  const folder = mkdtempSync(join(tmpdir(), 'tanya-bench-start-'));
  const once = async () => {
    const port = await freePort();
    const from = performance.now();
    const server = await start([process.execPath, join(root, 'scripts/start.mjs')], {
      env: { PORT: String(port), DATA_DIR: folder },
      log: join(folder, 'start.log'),
      readyWhen: () => waitUntilReady(port),
    });
    const seconds = (performance.now() - from) / 1000;
    await sleep(1000);
    const megabytes = residentKb(server.pid) / 1024;
    await server.end();
    return { seconds, megabytes };
  };
  await once();
  const second = await once();
  rmSync(folder, { recursive: true, force: true });
  return [
    figure('second start until it answers', second.seconds, 's', { atMost: 5 }),
    figure('memory of the idle server with its embedded Postgres', second.megabytes, 'MB'),
  ];
}

async function waitUntilReady(port) {
  for (let tries = 0; tries < 1200; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/health/ready`).catch(() => null);
    if (answer?.ok) return;
    await sleep(25);
  }
  throw new Error('The server did not answer');
}
