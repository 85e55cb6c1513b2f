import { setTimeout as sleep } from 'node:timers/promises';
import type { Harness } from './fault-harness.js';
import { onThisMachine } from './pace.js';
import type { NodeStats } from './server-node.js';

/** Connections that clients keep for their next call are closed by then, ms: the server keeps them for 65 s. */
const CLOSING = 75_000;

/** Above what a process held when nobody had been there yet: a tenth, and a few that come and go. */
const bound = (atFirst: number): number => Math.ceil(atFirst * 1.1) + 3;

/** Logs of answers that have just ended are kept for a while, MB. */
const ROOM = 250;

const MB = 1024 * 1024;

/** What the processes of one harness hold, compared with how they began. */
export class LeakCheck {
  private constructor(
    private readonly harness: Harness,
    private readonly atFirst: NodeStats[],
  ) {}

  /** To be taken before the first fault. */
  static async of(harness: Harness): Promise<LeakCheck> {
    return new LeakCheck(harness, await statsOf(harness));
  }

  /** I6, once everybody has gone: sockets, timers, memory and database connections are back where they were. */
  async audit(): Promise<string[]> {
    for (const deadline = performance.now() + onThisMachine(CLOSING); ; await sleep(250)) {
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

const statsOf = (harness: Harness): Promise<NodeStats[]> => Promise.all(harness.nodes.map((node) => node.stats()));
