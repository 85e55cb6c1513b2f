import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultHarness } from '../fault-harness.js';
import { boundOf } from '../pace.js';
import type { NodeStats } from '../server-node.js';

/** Time until idle keep-alive connections are closed, ms; the server closes them after 65 s. */
const CLOSING = 75_000;

/** Bound above the number before the first fault: ten percent, and a few short-lived ones. */
const bound = (atFirst: number): number => Math.ceil(atFirst * 1.1) + 3;

/** Allowance for logs of finished answers within their retention, MB. */
const ROOM = 250;

const MB = 1024 * 1024;

/** Compares the resources of the processes of one harness with those before the first fault. */
export class LeakCheck {
  private constructor(
    private readonly harness: FaultHarness,
    private readonly atFirst: NodeStats[],
  ) {}

  /** Records the baseline; called before the first fault. */
  static async of(harness: FaultHarness): Promise<LeakCheck> {
    return new LeakCheck(harness, await statsOf(harness));
  }

  /** I6: after all clients left, sockets, timers, memory and transactions are back at the baseline. */
  async audit(): Promise<string[]> {
    this.harness.closeIdle();
    for (const deadline = performance.now() + boundOf(CLOSING); ; await sleep(250)) {
      const excess = await this.excess();
      if (excess.length === 0 || performance.now() > deadline) return excess;
    }
  }

  private async excess(): Promise<string[]> {
    const now = await statsOf(this.harness);
    const found = this.harness.nodes.flatMap(({ name }, index) => {
      const [was, is] = [this.atFirst[index]!, now[index]!];
      return [
        ...(['sockets', 'timers'] as const)
          .filter((what) => is[what] > bound(was[what]))
          .map((what) => `I6: ${name} holds ${is[what]} ${what}, ${was[what]} at first`),
        ...(is.rss > was.rss + ROOM * MB
          ? [`I6: ${name} takes ${Math.round(is.rss / MB)} MB, ${Math.round(was.rss / MB)} at first`]
          : []),
      ];
    });
    return [...found, ...(await this.openTransactions())];
  }

  private async openTransactions(): Promise<string[]> {
    const open = await this.harness.database.query<{ state: string; query: string }>(
      `select state, query from pg_stat_activity where application_name = 'tanya' and datname = current_database()
       and state like 'idle in transaction%' and state_change < now() - interval '1 second'`,
    );
    return open.map(({ state, query }) => `I6: a connection is ${state} after ${query}`);
  }
}

const statsOf = (harness: FaultHarness): Promise<NodeStats[]> => Promise.all(harness.nodes.map((node) => node.stats()));
