import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Timings } from '../../src/config/timings.js';
import type { Fault, GroundName } from './fault.js';
import { Ground, type GroundOptions } from './ground.js';
import { changeFaults } from './kinds/change-faults.js';
import { clientFaults } from './kinds/client-faults.js';
import { costs } from './kinds/costs.js';
import { fleetFaults } from './kinds/fleet-faults.js';
import { processFaults } from './kinds/process-faults.js';
import { RESUME_BATCH, resumes } from './kinds/resumes.js';
import { soak, SOAK_BATCH } from './kinds/soak.js';
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

/** What says most in a minute, for `npm test`. */
const QUICK = 'F1c,F2,F2c,F3,F4,F5,F5b,F6,F7,F8b,F9,F12,F16,F18,F20,F21,F23,F24,F29,F31,F32b,F39,F40';

/** After a signal the running injection may end by itself for so long, ms. */
const LAST_INJECTION = 20_000;

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
    fleet: { type: 'boolean', default: false },
    soak: { type: 'string' },
    resumes: { type: 'string' },
    costs: { type: 'boolean', default: false },
    'true-timings': { type: 'boolean', default: false },
  },
});

const folder = await mkdtemp(join(tmpdir(), 'tanya-faults-'));
process.env.TANYA_TEST_FOLDER = folder;
const postgres = await PostgresServer.start(join(folder, 'postgres'));
const timings = values['true-timings'] ? {} : SCALED;

const layouts: Record<GroundName, Pick<GroundOptions, 'nodes' | 'redis' | 'nginx'>> = {
  many: { nodes: 2, redis: true },
  one: { nodes: 1, redis: false },
  fleet: { nodes: 3, redis: true, nginx: process.env.TANYA_FAULTS_NGINX },
};
const opened = new Map<GroundName, Promise<Ground>>();

function groundOf(name: GroundName): Promise<Ground> {
  const dist = process.env.TANYA_FAULTS_DIST!;
  const known =
    opened.get(name) ?? Ground.open({ ...layouts[name], name, dist, postgres, timings, folder: join(folder, name) });
  opened.set(name, known);
  return known;
}

/** What is injected, and how often. */
function plan(): { faults: Fault[]; rounds: number } {
  if (values.soak !== undefined) return { faults: [soak], rounds: Math.ceil(Number(values.soak) / SOAK_BATCH) };
  if (values.resumes !== undefined)
    return { faults: [resumes], rounds: Math.ceil(Number(values.resumes) / RESUME_BATCH) };
  if (values.costs) return { faults: [costs], rounds: 1 };
  const all = values.fleet
    ? fleetFaults
    : [...upstreamFaults, ...clientFaults, ...changeFaults, ...processFaults, ...storageFaults];
  const wanted = (values.only ?? (values.quick ? QUICK : undefined))?.split(',');
  const possible = all.filter((fault) => !fault.needsSmallDisk || postgres.disk.isSmall);
  return {
    faults: possible.filter((fault) => wanted === undefined || wanted.includes(fault.id)),
    rounds: Number(values.rounds),
  };
}

const report = new Report({ file: values.resume, isJson: values.json });
const { faults, rounds } = plan();
const round = new Round(groundOf, {
  seed: Number(values.seed),
  stretch: values['true-timings'] ? STRETCH : 1,
  largestCrowd: values.quick ? 8 : 100,
  report: (injection) => report.add(injection),
});

let isStopped = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    isStopped = true;
    setTimeout(() => process.exit(1), LAST_INJECTION).unref();
  });
}

try {
  for (let number = 1; number <= rounds && !isStopped; number += 1) {
    const left = faults.filter((fault) => !report.has(number, fault.id));
    await round.run(number, left, () => isStopped);
  }
} finally {
  for (const ground of opened.values()) await (await ground).close();
  await postgres.stop();
  if (report.violations === 0) await rm(folder, { recursive: true, force: true });
  else console.log(`The servers' logs are in ${folder}.`);
}
report.close();
process.exit(report.violations === 0 ? 0 : 1);
