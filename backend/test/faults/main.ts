import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault } from './fault.js';
import { approvalFaults } from './kinds/approval-faults.js';
import { changeFaults } from './kinds/change-faults.js';
import { keepingFaults } from './kinds/keeping-faults.js';
import { clientFaults } from './kinds/client-faults.js';
import { dialectFaults } from './kinds/dialect-faults.js';
import { costs } from './kinds/costs.js';
import { embeddingFaults } from './kinds/embedding-faults.js';
import { fleetFaults } from './kinds/fleet-faults.js';
import { hostileFaults } from './kinds/hostile-faults.js';
import { longChatFaults } from './kinds/long-chat-faults.js';
import { processFaults } from './kinds/process-faults.js';
import { projectFaults } from './kinds/project-faults.js';
import { RESUME_BATCH, resumes } from './kinds/resumes.js';
import { soak, SOAK_BATCH } from './kinds/soak.js';
import { storageFaults } from './kinds/storage-faults.js';
import { toolFaults } from './kinds/tool-faults.js';
import { upstreamFaults } from './kinds/upstream-faults.js';
import { Worker } from './worker.js';
import { type Pace, PACES, raiseBounds } from './pace.js';
import { Report } from './report.js';

/** The most revealing faults within a minute, for `npm test`. */
const QUICK =
  'F1c,F2,F2c,F3,F4,F5,F5b,F6,F7,F8b,F9,F12,F16,F18,F20,F21,F23,F24,F29,F31,F32b,F39,F40,F46,F47,F49,F50,F51b';

/** The kind that injects all faults of a fleet amid one load. */
const QUICK_FLEET = 'F48n';

/** Concurrent streams of a fleet. */
const STREAMS = 500;
const QUICK_STREAMS = 30;

const QUICK_NODES = 3;

/** Accounts of a quick fleet; its other clients are guests. */
const QUICK_MEMBERS = 10;

/** Grace period of the running injection after a signal, ms. */
const SIGNAL_GRACE_MS = 60_000;

/** Least bound of a wait in a quick run, ms. */
const QUICK_BOUND_MS = 30_000;

/** As `scripts/testing/faults-options.mjs` reads them. */
interface Options {
  rounds: string;
  seed: string;
  jobs: string;
  only?: string;
  resume?: string;
  json: boolean;
  quick: boolean;
  fleet: boolean;
  streams?: string;
  soak?: string;
  resumes?: string;
  costs: boolean;
  'true-timings': boolean;
}

const values = JSON.parse(process.env.TANYA_FAULTS_OPTIONS!) as Options;

/** The figures of a fleet are those of production timings. */
const isTrue = values['true-timings'] || (values.fleet && !values.quick);

const folder = await mkdtemp(join(tmpdir(), 'tanya-faults-'));
process.env.TANYA_TEST_FOLDER = folder;

/** `F60*` names all kinds that begin with F60. */
const isNamed = (id: string, name: string): boolean =>
  name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name;

/** Faults and number of rounds. */
function plan(): { faults: Fault[]; rounds: number } {
  if (values.soak !== undefined) return { faults: [soak], rounds: Math.ceil(Number(values.soak) / SOAK_BATCH) };
  if (values.resumes !== undefined)
    return { faults: [resumes], rounds: Math.ceil(Number(values.resumes) / RESUME_BATCH) };
  if (values.costs) return { faults: [costs], rounds: 1 };
  const all = values.fleet
    ? fleetFaults
    : [
        ...upstreamFaults,
        ...dialectFaults,
        ...clientFaults,
        ...hostileFaults,
        ...changeFaults,
        ...processFaults,
        ...toolFaults,
        ...approvalFaults,
        ...storageFaults,
        ...keepingFaults,
        ...projectFaults,
        ...embeddingFaults,
        ...longChatFaults,
      ];
  const quick = values.fleet ? QUICK_FLEET : QUICK;
  const wanted = (values.only ?? (values.quick ? quick : undefined))?.split(',');
  const unknown = wanted?.filter((name) => !all.some(({ id }) => isNamed(id, name))) ?? [];
  if (unknown.length > 0) {
    console.error(`No such kind: ${unknown.join(', ')}. There are: ${all.map(({ id }) => id).join(', ')}`);
    process.exit(2);
  }
  return {
    faults: all.filter(({ id }) => wanted?.some((name) => isNamed(id, name)) ?? true),
    rounds: Number(values.rounds),
  };
}

const report = new Report({ file: values.resume, isJson: values.json });
const { faults, rounds } = plan();
const leftOf = (round: number) => faults.filter((fault) => !report.has(round, fault.id));
const numbers = Array.from({ length: rounds }, (_, index) => index + 1).filter((round) => leftOf(round).length > 0);
const jobs = Math.min(Number(values.jobs), numbers.length);

function pace(): Pace {
  if (isTrue) return PACES.true;
  if (values.quick) return PACES.quick;
  return jobs > 1 ? PACES.crowded : PACES.short;
}

if (values.quick) raiseBounds(QUICK_BOUND_MS);

const workers = new Set<Worker>();

async function breakOff(): Promise<never> {
  await Promise.allSettled([...workers].map((worker) => worker.close()));
  process.exit(1);
}

let isStopped = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    isStopped = true;
    setTimeout(() => void breakOff(), SIGNAL_GRACE_MS).unref();
  });
}

/** Runs rounds from the shared queue until it is empty. */
async function work(index: number): Promise<void> {
  const worker = await Worker.open({
    folder: join(folder, `worker-${index + 1}`),
    dist: process.env.TANYA_FAULTS_DIST!,
    nginx: process.env.TANYA_FAULTS_NGINX || undefined,
    pace: pace(),
    seed: Number(values.seed),
    largestCrowd: values.quick ? 8 : 100,
    streams: Number(values.streams ?? (values.quick ? QUICK_STREAMS : STREAMS)),
    fleetSize: values.quick ? { nodes: QUICK_NODES, members: QUICK_MEMBERS } : undefined,
    report: (injection) => report.add(injection),
  });
  workers.add(worker);
  try {
    for (let round = numbers.shift(); round !== undefined && !isStopped; round = numbers.shift())
      await worker.run(round, leftOf(round), () => isStopped);
  } finally {
    workers.delete(worker);
    await worker.close();
  }
}

const broken: unknown[] = [];
await Promise.all(
  Array.from({ length: jobs }, (_, index) =>
    work(index).catch((error: unknown) => {
      // The other workers finish their current faults and keep the results.
      isStopped = true;
      broken.push(error);
    }),
  ),
);
report.close();
for (const error of broken) console.error(error);
const isWell = report.violations === 0 && broken.length === 0;
if (isWell) await rm(folder, { recursive: true, force: true });
else console.log(`The servers' logs are in ${folder}.`);
process.exit(isWell ? 0 : 1);
