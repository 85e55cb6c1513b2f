import type { Message } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { isUniqueViolation } from '../../../platform/database/unique-violation.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { type QuotaAccount, QuotaService, type Spender } from '../../../quota/quota.service.js';
import { MessageStore } from '../../messages/message-store.js';
import { type MessageRow, toMessage } from '../../messages/message-view.js';
import { admissionStatement, type MessageTarget } from './admission-statements.js';

export interface NewGeneration {
  id: string;
  spender: Spender;
  clientMessageId: string;
  requestHash: string;
  modelId: string;
  cost: number;
  nodeId: string;
  /** null for a detached generation (public API, image dialog). */
  target: MessageTarget | null;
  /** Runs in the same transaction, with the id of the existing or new thread. */
  attach?: (manager: EntityManager, threadId: number) => Promise<void>;
}

export interface AdmittedGeneration {
  account: QuotaAccount;
  /** null for a detached generation. */
  messages: { threadId: number; userMessage: Message; aiMessage: Message } | null;
}

/** All fields but `running` are null when nothing was inserted, and for a detached generation. */
interface InsertedRow {
  /** Generations of the owner that were running before. */
  running: number;
  thread_id: number | null;
  user_message: MessageRow;
  ai_message: MessageRow;
}

/** Admits generations: holds the quota and inserts thread, messages and generation in one transaction. */
@Injectable()
export class GenerationAdmission {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly messages: MessageStore,
    private readonly quotas: QuotaService,
  ) {}

  /**
   * @param concurrent maximum of concurrent generations of the owner
   * @throws AppError `quota_exceeded`, `thread_busy`, `rate_limited`, `not_found`, `conflict` (the client message id exists)
   */
  async admit(generation: NewGeneration, concurrent: number): Promise<AdmittedGeneration> {
    try {
      return await this.dataSource.transaction(async (manager) => {
        const { id, spender, modelId, cost, attach } = generation;
        // The hold locks the owner's account, so the number of running generations cannot grow before the insert.
        const account = await this.quotas.hold(manager, spender, { generationId: id, modelId, cost });
        const messages = await this.insert(manager, generation, account.period, concurrent);
        if (messages !== null) await attach?.(manager, messages.threadId);
        return { account, messages };
      });
    } catch (error) {
      if (isUniqueViolation(error, 'generation_one_a_thread')) throw new AppError('thread_busy', { cause: error });
      if (isUniqueViolation(error, 'generation_client_message')) throw new AppError('conflict', { cause: error });
      throw error;
    }
  }

  private async insert(
    manager: EntityManager,
    generation: NewGeneration,
    period: string,
    concurrent: number,
  ): Promise<AdmittedGeneration['messages']> {
    const { id, spender, clientMessageId, requestHash, modelId, cost, nodeId, target } = generation;
    const { owner, userId } = spender;
    const [statement, parameters] = admissionStatement(target);
    const [row] = await manager.query<[InsertedRow]>(statement, [
      ...[id, owner, userId, clientMessageId, requestHash, modelId, cost, period, nodeId, concurrent],
      ...parameters,
    ]);
    if (row.running >= concurrent) {
      throw new AppError('rate_limited', {
        message: 'Too many answers are being written. Wait until one of them has ended.',
        retryAfter: 2,
      });
    }
    if (target === null) return null;
    if (row.thread_id === null) throw new AppError('not_found');
    const hasVersions = target.kind === 'regenerate' || (target.kind === 'reply' && target.parentId !== undefined);
    const siblingIds = async (message: MessageRow) =>
      hasVersions ? this.messages.versionsOf(manager, message) : [message.id];
    return {
      threadId: row.thread_id,
      userMessage: toMessage(row.user_message, await siblingIds(row.user_message)),
      aiMessage: toMessage(row.ai_message, await siblingIds(row.ai_message)),
    };
  }
}
