import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '../observability/logging.js';

/** Between the first runs of two works, ms: together, those of one interval would each take a connection of Postgres. */
const APART_MS = 20;

/** Work that every node repeats while it serves, such as the deletion of what has expired. */
@Injectable()
export class BackgroundWork implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly waiting: (() => void)[] = [];
  private readonly timers: NodeJS.Timeout[] = [];
  private state: 'starting' | 'running' | 'stopped' = 'starting';

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  /**
   * Runs `work` every `ms` milliseconds, from the end of the start until the shutdown begins. No run begins while another
   * one lasts. A failure is logged; the next interval tries again.
   * @param name of the work, for the log: `<name> failed`
   */
  repeat(name: string, ms: number, work: () => void | Promise<void>): void {
    let isRunning = false;
    const run = async () => {
      if (isRunning) return;
      isRunning = true;
      try {
        await work();
      } catch (error) {
        this.logger.warn({ err: error }, `${name} failed; retrying at the next interval`);
      } finally {
        isRunning = false;
      }
    };
    const start = () => this.timers.push(setInterval(() => void run(), ms).unref());
    if (this.state === 'starting') this.waiting.push(start);
    else if (this.state === 'running') start();
  }

  onApplicationBootstrap(): void {
    this.state = 'running';
    for (const [index, start] of this.waiting.splice(0).entries())
      this.timers.push(setTimeout(start, index * APART_MS).unref());
  }

  onModuleDestroy(): void {
    this.state = 'stopped';
    for (const timer of this.timers.splice(0)) clearInterval(timer);
  }
}
