import { setTimeout } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import pLimit from 'p-limit';
import { TIMINGS, type Timings } from '../../config/timings.js';
import { LOGGER, type Logger } from '../../platform/observability/logging.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { ProjectFileStore } from '../project-file-store.js';

/** Above the id of any project. */
const ALL = 2 ** 31 - 1;

/** How long a search waits for the words of its project, ms. */
const PATIENCE_MS = 2_000;

/** How often it looks then whether another renewal has ended, ms. */
const LOOK_MS = 100;

/**
 * Makes the search vectors again that an earlier version has made: until then their chunks are not found by words. Each node
 * does so from its start on, and looks again at intervals for what failed. New projects come first, and one that is searched
 * before all others.
 */
@Injectable()
export class WordsRenewal implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly urgent = new Map<number, Promise<string[]>>();
  private readonly limit = pLimit(1);
  private isRunning = false;
  private isStopping = false;

  constructor(
    @Inject(TIMINGS) timings: Timings,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly files: ProjectFileStore,
    background: BackgroundWork,
  ) {
    background.repeat('renewal of search words', timings.wordsRenewal, () => this.renewAll());
  }

  onApplicationBootstrap(): void {
    this.renewAll().catch((error: unknown) =>
      this.logger.warn({ err: error }, 'renewal of search words failed; retrying at the next interval'),
    );
  }

  onModuleDestroy(): void {
    this.isStopping = true;
  }

  /** Renews a project that is searched before those that nobody asks for, while any is left. */
  prefer(projectId: number): void {
    if (this.isRunning) void this.renewFirst(projectId);
  }

  /**
   * Renews a project that was searched in vain.
   * @returns whether it was outdated, after two seconds at the latest: the rest is renewed behind
   */
  async renewNow(projectId: number): Promise<boolean> {
    if ((await this.files.outdatedOf(projectId)).length === 0) return false;
    const until = Date.now() + PATIENCE_MS;
    const failed = await Promise.race([
      this.renewFirst(projectId),
      setTimeout<string[]>(PATIENCE_MS, [], { ref: false }),
    ]);
    // Another node, or this one for nobody, may renew a file now.
    while (Date.now() < until && (await this.files.outdatedOf(projectId)).some((fileId) => !failed.includes(fileId)))
      await setTimeout(LOOK_MS, undefined, { ref: false });
    return true;
  }

  /** One project at a time, beside those that nobody asks for. */
  private renewFirst(projectId: number): Promise<string[]> {
    const renewing =
      this.urgent.get(projectId) ??
      this.limit(() => this.renew(projectId))
        .catch((error: unknown) => {
          this.logger.warn({ err: error, projectId }, 'search words of a project not renewed');
          return [];
        })
        .finally(() => this.urgent.delete(projectId));
    this.urgent.set(projectId, renewing);
    return renewing;
  }

  private async renewAll(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      for (let id = await this.files.outdatedBefore(ALL); id !== null; id = await this.files.outdatedBefore(id)) {
        await this.renew(id);
        if (this.isStopping) return;
      }
    } finally {
      this.isRunning = false;
    }
  }

  /** A file that fails does not hold up the others. @returns the ids of those that fail */
  private async renew(projectId: number): Promise<string[]> {
    const failed: string[] = [];
    let cause: unknown;
    for (const fileId of await this.files.outdatedOf(projectId)) {
      if (this.isStopping) break;
      try {
        await this.files.renewWords(fileId);
      } catch (error) {
        failed.push(fileId);
        cause = error;
      }
    }
    if (failed.length > 0) {
      const fields = { err: cause, projectId, fileId: failed[0], files: failed.length };
      this.logger.warn(fields, 'search words of files of a project not renewed; retrying at the next interval');
    }
    return failed;
  }
}
