import { setTimeout as sleep } from 'node:timers/promises';
import { auditScenario } from './audit.js';
import { LedgerAudit } from './ledger-audit.js';
import type { Fault, HarnessName } from './fault.js';
import type { Harness } from './fault-harness.js';
import { LeakCheck } from './leak-check.js';
import { onThisMachine, type Pace } from './pace.js';
import { Random } from './random.js';
import { Scenario } from './scenario.js';

export interface Injection {
  round: number;
  id: string;
  says: string;
  on: HarnessName;
  sends: number;
  /** What the scenario drew or measured. */
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

/** Injects faults into harnesses and looks at what is left of them. */
export class Round {
  private readonly ledgerAudits = new Map<Harness, LedgerAudit>();
  private readonly leakChecks = new Map<Harness, LeakCheck>();

  constructor(
    private readonly harnesses: (name: HarnessName) => Promise<Harness>,
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
    for (const [harness, leakChecks] of this.leakChecks) {
      const began = performance.now();
      const violations = await leakChecks.audit();
      // Nothing is injected here, so it counts only where something is wrong.
      if (violations.length > 0) {
        const says = 'what the processes hold once everybody has gone';
        const seconds = secondsSince(began);
        const on = harness.options.name as HarnessName;
        this.options.report({ round, id: 'rest', says, on, sends: 0, notes: [], violations, seconds });
      }
    }
  }

  private async inject(round: number, faults: Fault[]): Promise<void> {
    const scenarios = [];
    for (const fault of faults)
      scenarios.push({ fault, ...(await this.sceneFor(round, fault)), began: performance.now() });
    await Promise.all(
      scenarios.map(async (each) => {
        await each.fault
          .run(each.scenario)
          .catch((error: unknown) => each.scenario.violation(`it broke off: ${String((error as Error).stack)}`));
      }),
    );
    const found = new Map<Harness, string[]>();
    for (const harness of new Set(scenarios.map(({ harness }) => harness)))
      found.set(harness, await this.settle(harness));
    for (const { fault, scenario, harness, on, began } of scenarios) {
      await auditScenario(scenario);
      await scenario.close();
      this.options.report({
        round,
        id: fault.id,
        says: fault.says,
        on,
        sends: scenario.sends.length,
        notes: scenario.notes,
        violations: [...scenario.violations, ...(found.get(harness) ?? [])],
        seconds: secondsSince(began),
      });
    }
  }

  private async sceneFor(
    round: number,
    fault: Fault,
  ): Promise<{ scenario: Scenario; harness: Harness; on: HarnessName }> {
    const random = new Random(this.options.seed, round, fault.id);
    const on = random.pick(fault.on);
    const harness = await this.harnesses(on);
    if (!this.leakChecks.has(harness)) this.leakChecks.set(harness, await LeakCheck.of(harness));
    const crowd = Math.min(random.pick(CROWDS), this.options.largestCrowd);
    return { scenario: new Scenario(harness, random, crowd, this.options.pace), harness, on };
  }

  /** Everything up again and nothing running: what the ledgerAudits say then. */
  private async settle(harness: Harness): Promise<string[]> {
    const violations: string[] = [];
    await harness.restore();
    const ledgerAudits = this.ledgerAudits.get(harness) ?? new LedgerAudit(harness);
    this.ledgerAudits.set(harness, ledgerAudits);
    for (const deadline = performance.now() + onThisMachine(QUIET * this.options.pace.stretch); ; await sleep(30)) {
      const running = await ledgerAudits.running().catch(() => -1);
      if (running === 0) break;
      if (performance.now() < deadline) continue;
      violations.push(`I3: ${running} rows still stream`);
      break;
    }
    await sleep(ECHO);
    violations.push(...(await ledgerAudits.audit()));
    for (const node of harness.nodes) violations.push(...node.crashes.splice(0).map((crash) => `I6: ${crash}`));
    return violations;
  }
}
