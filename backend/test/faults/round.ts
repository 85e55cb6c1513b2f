import { setTimeout as sleep } from 'node:timers/promises';
import { auditScenario } from './audits/scenario-audit.js';
import { LedgerAudit } from './audits/ledger-audit.js';
import type { Fault, HarnessName } from './fault.js';
import type { FaultHarness } from './fault-harness.js';
import { LeakCheck } from './audits/leak-check.js';
import { boundOf, type Pace } from './pace.js';
import { Random } from './random.js';
import { Scenario } from './scenario.js';

export interface Injection {
  round: number;
  id: string;
  description: string;
  on: HarnessName;
  sends: number;
  /** Random choices and measurements of the scenario. */
  notes: string[];
  violations: string[];
  seconds: number;
}

/** Bound until all runs have ended at the shortest timings, ms. Other paces multiply the bound by their stretch. */
const SETTLE_TIMEOUT_MS = 12_000;

/** Numbers of concurrent streams to choose from. */
const CROWD_SIZES = [1, 1, 1, 3, 3, 3, 8, 8, 20, 100];

/** Number of local faults that run concurrently. */
const CONCURRENT_FAULTS = 6;

const secondsSince = (began: number): number => Math.round((performance.now() - began) / 10) / 100;

export interface RoundOptions {
  seed: number;
  pace: Pace;
  largestCrowd: number;
  /** Concurrent streams of a scenario on a fleet. */
  streams: number;
  report: (done: Injection) => void;
}

/** Injects faults into harnesses and verifies the invariants. */
export class Round {
  private readonly ledgerAudits = new Map<FaultHarness, LedgerAudit>();
  private readonly leakChecks = new Map<FaultHarness, LeakCheck>();

  constructor(
    private readonly harnesses: (name: HarnessName) => Promise<FaultHarness>,
    private readonly options: RoundOptions,
  ) {}

  /**
   * @param faults local ones run concurrently, all others alone
   * @param isStopped checked between faults, so that a run can be interrupted and resumed
   */
  async run(round: number, faults: Fault[], isStopped: () => boolean): Promise<void> {
    const local = faults.filter((fault) => fault.isLocal);
    const batches = [];
    for (let at = 0; at < local.length; at += CONCURRENT_FAULTS) batches.push(local.slice(at, at + CONCURRENT_FAULTS));
    for (const fault of faults) if (!fault.isLocal) batches.push([fault]);
    for (const batch of batches) if (!isStopped()) await this.inject(round, batch);
    for (const [harness, leakCheck] of this.leakChecks) {
      const began = performance.now();
      const violations = await leakCheck.audit();
      // Nothing is injected here, so only a violation is reported.
      if (violations.length > 0) {
        const description = 'resources after all clients left';
        const seconds = secondsSince(began);
        const on = harness.options.name as HarnessName;
        this.options.report({ round, id: 'rest', description, on, sends: 0, notes: [], violations, seconds });
      }
    }
  }

  private async inject(round: number, faults: Fault[]): Promise<void> {
    const scenarios = [];
    for (const fault of faults)
      scenarios.push({ fault, ...(await this.scenarioFor(round, fault)), began: performance.now() });
    await Promise.all(
      scenarios.map(async (each) => {
        await each.fault
          .run(each.scenario)
          .catch((error: unknown) => each.scenario.violation(`the scenario failed: ${String((error as Error).stack)}`));
      }),
    );
    const found = new Map<FaultHarness, string[]>();
    for (const harness of new Set(scenarios.map(({ harness }) => harness)))
      found.set(harness, await this.settle(harness));
    for (const { fault, scenario, harness, on, began } of scenarios) {
      await auditScenario(scenario);
      await scenario.close();
      this.options.report({
        round,
        id: fault.id,
        description: fault.description,
        on,
        sends: scenario.sends.length,
        notes: scenario.notes,
        violations: [...scenario.violations, ...(found.get(harness) ?? [])],
        seconds: secondsSince(began),
      });
    }
  }

  private async scenarioFor(
    round: number,
    fault: Fault,
  ): Promise<{ scenario: Scenario; harness: FaultHarness; on: HarnessName }> {
    const random = new Random(this.options.seed, round, fault.id);
    const on = random.pick(fault.on);
    const harness = await this.harnesses(on);
    if (!this.leakChecks.has(harness)) this.leakChecks.set(harness, await LeakCheck.of(harness));
    const crowd = on === 'fleet' ? this.options.streams : Math.min(random.pick(CROWD_SIZES), this.options.largestCrowd);
    return { scenario: new Scenario(harness, random, crowd, this.options.pace), harness, on };
  }

  /** Restores the harness, waits until all runs have ended, and audits the ledger. */
  private async settle(harness: FaultHarness): Promise<string[]> {
    const violations: string[] = [];
    await harness.restore();
    const ledgerAudit = this.ledgerAudits.get(harness) ?? new LedgerAudit(harness);
    this.ledgerAudits.set(harness, ledgerAudit);
    for (
      const deadline = performance.now() + boundOf(SETTLE_TIMEOUT_MS * this.options.pace.stretch);
      ;
      await sleep(30)
    ) {
      const running = await ledgerAudit.running().catch(() => -1);
      if (running === 0) break;
      if (performance.now() < deadline) continue;
      violations.push(`I3: ${running} rows still stream`);
      break;
    }
    violations.push(...(await ledgerAudit.audit()));
    for (const node of harness.nodes) violations.push(...node.crashes.splice(0).map((crash) => `I6: ${crash}`));
    return violations;
  }
}
