import { setTimeout as sleep } from 'node:timers/promises';
import { auditScene } from './audit.js';
import { Books } from './books.js';
import type { Fault, GroundName } from './fault.js';
import type { Ground } from './ground.js';
import { Holdings } from './holdings.js';
import { onThisMachine, type Pace } from './pace.js';
import { Random } from './random.js';
import { Scene } from './scene.js';

export interface Injection {
  round: number;
  id: string;
  says: string;
  on: GroundName;
  sends: number;
  /** What the scene drew or measured. */
  notes: string[];
  violations: string[];
  seconds: number;
}

/** Whatever runs must have ended by then at the shortest waits, ms: what takes 45 s at true values. */
const QUIET = 12_000;

/** The end of an answer reaches counters and logs a moment after its commit, ms. */
const ECHO = 150;

/** Streams at once, mostly few, sometimes a hundred. */
const CROWDS = [1, 1, 1, 3, 3, 3, 8, 8, 20, 100];

/** Local faults that go on at the same time. */
const TOGETHER = 6;

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 10) / 100;

export interface RoundOptions {
  seed: number;
  pace: Pace;
  largestCrowd: number;
  report: (done: Injection) => void;
}

/** Injects faults into grounds and looks at what is left of them. */
export class Round {
  private readonly books = new Map<Ground, Books>();
  private readonly holdings = new Map<Ground, Holdings>();

  constructor(
    private readonly grounds: (name: GroundName) => Promise<Ground>,
    private readonly options: RoundOptions,
  ) {}

  /**
   * @param faults what is injected; local ones several at a time, all others by themselves
   * @param isStopped asked in between, so that a run can be broken off and continued
   */
  async run(round: number, faults: Fault[], isStopped: () => boolean): Promise<void> {
    const local = faults.filter((fault) => fault.isLocal);
    const batches = [];
    for (let at = 0; at < local.length; at += TOGETHER) batches.push(local.slice(at, at + TOGETHER));
    for (const fault of faults) if (!fault.isLocal) batches.push([fault]);
    for (const batch of batches) if (!isStopped()) await this.inject(round, batch);
    for (const [ground, holdings] of this.holdings) {
      const began = performance.now();
      const violations = await holdings.audit();
      // Nothing is injected here, so it counts only where something is wrong.
      if (violations.length > 0) {
        const says = 'what the processes hold once everybody has gone';
        const seconds = secondsSince(began);
        const on = ground.options.name as GroundName;
        this.options.report({ round, id: 'rest', says, on, sends: 0, notes: [], violations, seconds });
      }
    }
  }

  private async inject(round: number, faults: Fault[]): Promise<void> {
    const scenes = [];
    for (const fault of faults)
      scenes.push({ fault, ...(await this.sceneFor(round, fault)), began: performance.now() });
    await Promise.all(
      scenes.map(async (each) => {
        await each.fault
          .run(each.scene)
          .catch((error: unknown) => each.scene.violation(`it broke off: ${String((error as Error).stack)}`));
      }),
    );
    const found = new Map<Ground, string[]>();
    for (const ground of new Set(scenes.map(({ ground }) => ground))) found.set(ground, await this.settle(ground));
    for (const { fault, scene, ground, on, began } of scenes) {
      await auditScene(scene);
      await scene.close();
      this.options.report({
        round,
        id: fault.id,
        says: fault.says,
        on,
        sends: scene.sends.length,
        notes: scene.notes,
        violations: [...scene.violations, ...(found.get(ground) ?? [])],
        seconds: secondsSince(began),
      });
    }
  }

  private async sceneFor(round: number, fault: Fault): Promise<{ scene: Scene; ground: Ground; on: GroundName }> {
    const random = new Random(this.options.seed, round, fault.id);
    const on = random.pick(fault.on);
    const ground = await this.grounds(on);
    if (!this.holdings.has(ground)) this.holdings.set(ground, await Holdings.of(ground));
    const crowd = Math.min(random.pick(CROWDS), this.options.largestCrowd);
    return { scene: new Scene(ground, random, crowd, this.options.pace), ground, on };
  }

  /** Everything up again and nothing running: what the books say then. */
  private async settle(ground: Ground): Promise<string[]> {
    const violations: string[] = [];
    await ground.restore();
    const books = this.books.get(ground) ?? new Books(ground);
    this.books.set(ground, books);
    for (const deadline = performance.now() + onThisMachine(QUIET * this.options.pace.stretch); ; await sleep(30)) {
      const running = await books.running().catch(() => -1);
      if (running === 0) break;
      if (performance.now() < deadline) continue;
      violations.push(`I3: ${running} rows still stream`);
      break;
    }
    await sleep(ECHO);
    violations.push(...(await books.audit()));
    for (const node of ground.nodes) violations.push(...node.crashes.splice(0).map((crash) => `I6: ${crash}`));
    return violations;
  }
}
