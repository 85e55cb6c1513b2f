import type { Instructions, Message, ReasoningEffort, UsageChannel } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntityManager } from 'typeorm';
import { refusalOf, runIn, type RunStatement, Statements } from '../../../platform/database/statements.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../../platform/database/constraint-violations.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { type Asker, planNameOf } from '../../../identity/identity.js';
import type { InstructionsColumn } from '../../../preferences/preferences-sql.js';
import { BudgetService } from '../../../quota/budget.service.js';
import { type QuotaAccount, QuotaService } from '../../../quota/quota.service.js';
import { searchText } from '../../messages/message-content.js';
import { MessageStore } from '../../messages/message-store.js';
import { type MessageRow, toMessage } from '../../messages/message-view.js';
import { maxRunningOf, tooManyRunning } from '../store/running-limit.js';
import {
  type AdmissionParameters,
  type BegunThread,
  admitDetached,
  admitNewThread,
  admitRegeneration,
  admitReply,
  KEY_ENDED,
  KEY_SPENT,
  KNOWN_MESSAGE,
  NO_THREAD,
  SUSPENDED,
  TOO_MANY_RUNNING,
} from './admit-send.sql.js';

export type NewTurn =
  | ({ kind: 'new-thread'; content: string } & BegunThread)
  /** Without `parentId` the message follows the end of the shown path. */
  | { kind: 'reply'; threadId: number; content: string; parentId?: number | null }
  | { kind: 'regenerate'; threadId: number; userMessageId: number };

export interface NewGeneration {
  id: string;
  asker: Asker;
  clientMessageId: string;
  requestHash: string;
  modelId: string;
  reasoningEffort?: ReasoningEffort;
  /** Whether the built-in demo answers instead of the model. */
  isDemo: boolean;
  cost: number;
  /** The terms of `BudgetService.holdTerms`; null without a budget. */
  budgetTerms: string | null;
  channel: UsageChannel;
  nodeId: string;
  /** null for a detached generation (public API, image dialog). */
  turn: NewTurn | null;
  /** Runs in the same transaction, with the id of the existing or new thread. Without it and without versions one statement does it all. */
  attach?: (manager: EntityManager, threadId: number) => Promise<void>;
}

export interface AdmittedGeneration {
  account: QuotaAccount;
  /** null for a detached generation. */
  messages: AdmittedMessages | null;
}

interface AdmittedMessages {
  threadId: number;
  userMessage: Message;
  aiMessage: Message;
  /** The custom instructions that apply to the thread; null without any. */
  instructions: Instructions | null;
  projectId: number | null;
  /** Whether the thread has its first words as its title, and another one may be asked for. */
  lacksTitle: boolean;
  isTemporary: boolean;
}

/** The account is null when its quota is spent; the other fields are null for a detached generation. */
type AdmittedRow = { [Field in keyof QuotaAccount]: QuotaAccount[Field] | null } & {
  thread_id?: number | null;
  project_id: number | null;
  use_instructions: boolean | null;
  lacks_title: boolean | null;
  is_temporary: boolean | null;
  instructions: InstructionsColumn | null;
  user_message: MessageRow;
  ai_message: MessageRow;
};

@Injectable()
export class AdmissionStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly messages: MessageStore,
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
  ) {}

  /**
   * @throws AppError `quota_exceeded`, `budget_exceeded`, `thread_busy`, `rate_limited`, `not_found`, `conflict` (the client message id
   *   exists), `account_suspended`, `unauthenticated` (the API key was deleted or revoked)
   */
  async insert(generation: NewGeneration): Promise<AdmittedGeneration> {
    const { attach, turn } = generation;
    try {
      if (attach === undefined && !hasVersions(turn)) return await this.runStatement(this.statements.run, generation);
      return await this.dataSource.transaction(async (manager) => {
        const admitted = await this.runStatement(runIn(manager), generation);
        if (admitted.messages !== null) await attach?.(manager, admitted.messages.threadId);
        return admitted;
      });
    } catch (error) {
      throw this.budgets.exceeded(error) ?? refusedAs(error);
    }
  }

  private async runStatement(run: RunStatement, generation: NewGeneration): Promise<AdmittedGeneration> {
    const { asker, turn } = generation;
    const admission: AdmissionParameters = {
      generationId: generation.id,
      owner: asker.owner,
      userId: asker.userId,
      clientMessageId: generation.clientMessageId,
      requestHash: generation.requestHash,
      modelId: generation.modelId,
      reasoningEffort: generation.reasoningEffort ?? null,
      cost: generation.cost,
      ...this.quotas.holdTerms(asker),
      concurrent: maxRunningOf(asker.owner),
      nodeId: generation.nodeId,
      plan: planNameOf(asker),
      channel: generation.channel,
      apiKeyId: asker.apiKey?.id ?? null,
      budgetTerms: generation.budgetTerms,
    };
    const [row] = await run<AdmittedRow>(...statementOf(generation, admission));
    const account = accountOf(row);
    if (account === null) throw this.quotas.exceeded();
    const { thread_id: threadId = null, user_message: userMessage, ai_message: aiMessage } = row!;
    if (turn === null || threadId === null) return { account, messages: null };
    const siblingIds = async (message: MessageRow) =>
      hasVersions(turn) ? this.messages.versionsOf(run, message) : [message.id];
    return {
      account,
      messages: {
        threadId,
        userMessage: toMessage(userMessage, await siblingIds(userMessage)),
        aiMessage: toMessage(aiMessage, await siblingIds(aiMessage)),
        instructions: instructionsIn(row!),
        projectId: row!.project_id,
        lacksTitle: row!.lacks_title ?? false,
        isTemporary: row!.is_temporary ?? false,
      },
    };
  }
}

function statementOf({ turn, isDemo }: NewGeneration, admission: AdmissionParameters): [string, unknown[]] {
  const form = admission.budgetTerms === null ? 'free' : 'budgeted';
  switch (turn?.kind) {
    case undefined:
      return admitDetached[form](admission);
    case 'new-thread': {
      const { kind: _, content, ...thread } = turn;
      return admitNewThread[form]({ ...admission, content, searchText: searchText(content), isDemo, ...thread });
    }
    case 'reply': {
      const { content, threadId, parentId } = turn;
      const question = { content, searchText: searchText(content), isDemo };
      const position = { threadId, hasParent: parentId !== undefined, parentId: parentId ?? null };
      return admitReply[form]({ ...admission, ...question, ...position });
    }
    case 'regenerate': {
      const { threadId, userMessageId } = turn;
      return admitRegeneration[form]({ ...admission, isDemo, threadId, userMessageId });
    }
  }
}

/** Whether the messages may be versions of earlier ones, which another statement then counts. */
const hasVersions = (turn: NewTurn | null): boolean =>
  turn?.kind === 'regenerate' || (turn?.kind === 'reply' && turn.parentId !== undefined);

/** The choice of the thread precedes that of the account. */
function instructionsIn({ instructions, use_instructions: ofThread }: AdmittedRow): Instructions | null {
  if (instructions === null) return null;
  const { aboutMe, howToAnswer, useInstructions } = instructions;
  return (ofThread ?? useInstructions) ? { aboutMe, howToAnswer } : null;
}

function accountOf(row: AdmittedRow | undefined): QuotaAccount | null {
  if (row?.owner == null) return null;
  const { owner, period, charged, held, version } = row as QuotaAccount;
  return { owner, period, charged, held, version };
}

/** The error for the client of a statement that Postgres refused; any other error stays. */
function refusedAs(error: unknown): unknown {
  if (isUniqueViolation(error, 'generation_one_a_thread')) return new AppError('thread_busy', { cause: error });
  // Its project was deleted since it was read.
  if (isForeignKeyViolation(error, 'thread_project_fk')) return new AppError('not_found', { cause: error });
  if (isUniqueViolation(error, 'generation_client_message')) return new AppError('conflict', { cause: error });
  switch (refusalOf(error)) {
    case KNOWN_MESSAGE:
      return new AppError('conflict', { cause: error });
    case NO_THREAD:
      return new AppError('not_found', { cause: error });
    case SUSPENDED:
      return new AppError('account_suspended', { cause: error });
    case KEY_ENDED:
      return new AppError('unauthenticated', { reason: 'api_key', cause: error });
    case KEY_SPENT:
      return new AppError('quota_exceeded', { reason: 'key', cause: error });
    case TOO_MANY_RUNNING:
      return tooManyRunning(error);
    default:
      return error;
  }
}
