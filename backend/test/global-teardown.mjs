import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Stops Postgres, and servers that a crashed test left running. */
export default async function globalTeardown() {
  const harness = globalThis.tanyaTestHarness;
  if (!harness) return;
  await killLeftovers(join(harness.folder, 'servers'));
  await harness.postgres.stop();
  await rm(harness.folder, { recursive: true, force: true });
}

async function killLeftovers(folder) {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(await readFile(join(folder, name, 'pid'), 'utf8').catch(() => '0'));
    if (pid > 0) tryKill(pid);
  }
}

function tryKill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The test has ended it.
  }
}
