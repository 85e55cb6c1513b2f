import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source.js';
import { BackgroundWork } from '../../../src/platform/resilience/background-work.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';

export interface PlanHarness {
  harness: ChatHarness;
  /** A connection without a timeout of statements: a fill of a large table takes a minute on a busy machine. */
  runner: QueryRunner;
  close: () => Promise<void>;
}

/** A server whose tables are filled, and its statements explained, by a connection of their own. */
export async function startPlanHarness(): Promise<PlanHarness> {
  const harness = await startChatHarness({ redis: true });
  // Sweeps run by the clock, whatever a test does.
  harness.app.get(BackgroundWork).onModuleDestroy();
  const unhurried = new DataSource(dataSourceOptions(harness.env.databaseUrl!, [], { statementTimeoutMs: 0 }));
  await unhurried.initialize();
  const runner = unhurried.createQueryRunner();
  const close = async () => {
    await runner.release();
    await unhurried.destroy();
    await harness.close();
  };
  return { harness, runner, close };
}

export async function read(client: HttpClient, paths: string[]): Promise<void> {
  for (const path of paths) await client.get(path);
}
