import { Injectable } from '@nestjs/common';
import { fairQueue } from '../../platform/resilience/fair-queue.js';

/**
 * Searches of this node that Postgres works at together. With more of them, ten searches at once would take the connections
 * and the processors from the statements that store answers, and none would end sooner. The answers of one account alone
 * could fill the queue.
 */
const BOUNDS = { concurrency: 2, waiting: 500, waitingOfOne: 200 };

/** The searches of this node one after another, those of each account in turn. */
@Injectable()
export class SearchTurns {
  /** @throws AppError `server_busy` when too many wait */
  readonly run = fairQueue(BOUNDS);
}
