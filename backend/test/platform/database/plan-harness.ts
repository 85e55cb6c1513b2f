import type { QueryRunner } from 'typeorm';
import { BackgroundWork } from '../../../src/platform/resilience/background-work.js';
import { type ChatHarness, startChatHarness } from '../../harness/chat-harness.js';
import type { HttpClient } from '../../harness/http-client.js';

/** A server whose statements are explained by a connection of its own. */
export async function startPlanHarness(): Promise<{ harness: ChatHarness; runner: QueryRunner }> {
  const harness = await startChatHarness({ redis: true });
  // Sweeps run by the clock, whatever a test does.
  harness.app.get(BackgroundWork).onModuleDestroy();
  return { harness, runner: harness.dataSource.createQueryRunner() };
}

export async function read(client: HttpClient, paths: string[]): Promise<void> {
  for (const path of paths) await client.get(path);
}
