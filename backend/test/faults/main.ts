import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Timings } from '../../src/config/timings.js';
import { Ground } from './ground.js';
import { changeFaults } from './kinds/change-faults.js';
import { clientFaults } from './kinds/client-faults.js';
import { processFaults } from './kinds/process-faults.js';
import { storageFaults } from './kinds/storage-faults.js';
import { upstreamFaults } from './kinds/upstream-faults.js';
import { PostgresServer } from './postgres-server.js';
import { Report } from './report.js';
import { Round } from './round.js';

/** The server's waits, about fifteen times shorter than in production and in the same order. */
const SCALED: Partial<Timings> = {
  nodeBeat: 300,
  nodeDead: 2_000,
  nodeSweep: 600,
  checkpoint: 150,
  logFlush: 40,
  shutdownGrace: 1_500,
  firstToken: 3_000,
  idle: 2_000,
  connect: 1_000,
  settleRetry: 10_000,
  remoteStop: 500,
};

/** A true value is so many times a scaled one. */
const STRETCH = 6;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    resume: { type: 'string' },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    'true-timings': { type: 'boolean', default: false },
  },
});

const dist = process.env.TANYA_FAULTS_DIST!;
const folder = await mkdtemp(join(tmpdir(), 'tanya-faults-'));
process.env.TANYA_TEST_FOLDER = folder;

const all = [...upstreamFaults, ...clientFaults, ...changeFaults, ...processFaults, ...storageFaults];
const wanted = values.only?.split(',');
const chosen = all.filter((fault) => wanted === undefined || wanted.includes(fault.id));
const report = new Report({ file: values.resume, isJson: values.json });

const postgres = await PostgresServer.start(join(folder, 'postgres'));
const timings = values['true-timings'] ? {} : SCALED;
const common = { dist, postgres, timings };
const grounds = {
  many: await Ground.open({ ...common, name: 'many', folder: join(folder, 'many'), nodes: 2, redis: true }),
  one: await Ground.open({ ...common, name: 'one', folder: join(folder, 'one'), nodes: 1, redis: false }),
};
const round = new Round(grounds, {
  seed: Number(values.seed),
  stretch: values['true-timings'] ? STRETCH : 1,
  largestCrowd: values.quick ? 8 : 100,
  report: (injection) => report.add(injection),
});

try {
  for (let number = 1; number <= Number(values.rounds); number += 1) {
    const left = chosen.filter(
      (fault) => !report.has(number, fault.id) && (!fault.needsSmallDisk || postgres.disk.isSmall),
    );
    await round.run(number, left);
  }
} finally {
  for (const ground of Object.values(grounds)) await ground.close();
  await postgres.stop();
  if (report.violations === 0) await rm(folder, { recursive: true, force: true });
  else console.log(`The servers' logs are in ${folder}.`);
}
report.close();
process.exit(report.violations === 0 ? 0 : 1);
