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

/** A generation without a thread (public API, image dialog). */
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
}

/** The answer to a message of a thread. */
export interface NewAnswer extends NewGeneration {
  turn: NewTurn;
  /** Runs in the same transaction, with the id of the existing or new thread. Without it and without versions one statement does it all. */
  attach?: (manager: EntityManager, threadId: number) => Promise<void>;
}

export interface AdmittedGeneration {
  account: QuotaAccount;
}

export interface AdmittedAnswer extends AdmittedGeneration {
  thread: AdmittedThread;
  aiMessage: Message;
}

interface AdmittedThread {
  threadId: number;
  userMessage: Message;
  /** The custom instructions that apply to the thread; null without any. */
  instructions: Instructions | null;
  projectId: number | null;
  /** Whether the thread has its first words as its title, and another one may be asked for. */
  lacksTitle: boolean;
  isTemporary: boolean;
}

/** All columns are null when the quota is spent. */
type AccountRow = { [Field in keyof QuotaAccount]: QuotaAccount[Field] | null };

interface AnswerRow extends AccountRow {
  thread_id: number;
  project_id: number | null;
  use_instructions: boolean | null;
  lacks_title: boolean | null;
  is_temporary: boolean | null;
  instructions: InstructionsColumn | null;
  user_message: MessageRow;
  ai_message: MessageRow;
}

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
   * @throws AppError `quota_exceeded`, `budget_exceeded`, `rate_limited`, `conflict` (the client message id exists),
   *   `account_suspended`, `unauthenticated` (the API key was deleted or revoked)
   */
  insertDetached(generation: NewGeneration): Promise<AdmittedGeneration> {
    return this.refusing(async () => {
      const statement = admitDetached[formOf(generation)](this.parametersOf(generation));
      const [row] = await this.statements.run<AccountRow>(...statement);
      return { account: this.accountIn(row) };
    });
  }

  /** @throws AppError as `insertDetached`, and `thread_busy`, `not_found` */
  insertAnswer(generation: NewAnswer): Promise<AdmittedAnswer> {
    const { attach, turn } = generation;
    return this.refusing(() => {
      if (attach === undefined && !hasVersions(turn)) return this.runStatement(this.statements.run, generation);
      return this.dataSource.transaction(async (manager) => {
        const admitted = await this.runStatement(runIn(manager), generation);
        await attach?.(manager, admitted.thread.threadId);
        return admitted;
      });
    });
  }

  private async refusing<T>(insert: () => Promise<T>): Promise<T> {
    try {
      return await insert();
    } catch (error) {
      throw this.budgets.exceeded(error) ?? refusedAs(error);
    }
  }

  private async runStatement(run: RunStatement, generation: NewAnswer): Promise<AdmittedAnswer> {
    const { turn } = generation;
    const [row] = await run<AnswerRow>(...statementOf(generation, this.parametersOf(generation)));
    const account = this.accountIn(row);
    const { thread_id: threadId, user_message: userMessage, ai_message: aiMessage } = row!;
    const siblingIds = async (message: MessageRow) =>
      hasVersions(turn) ? this.messages.versionsOf(run, message) : [message.id];
    return {
      account,
      thread: {
        threadId,
        userMessage: toMessage(userMessage, await siblingIds(userMessage)),
        instructions: instructionsIn(row!),
        projectId: row!.project_id,
        lacksTitle: row!.lacks_title ?? false,
        isTemporary: row!.is_temporary ?? false,
      },
      aiMessage: toMessage(aiMessage, await siblingIds(aiMessage)),
    };
  }

  private parametersOf(generation: NewGeneration): AdmissionParameters {
    const { asker } = generation;
    return {
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
  }

  /** @throws AppError `quota_exceeded` */
  private accountIn(row: AccountRow | undefined): QuotaAccount {
    if (row?.owner == null) throw this.quotas.exceeded();
    const { owner, period, charged, held, version } = row as QuotaAccount;
    return { owner, period, charged, held, version };
  }
}

const formOf = ({ budgetTerms }: NewGeneration): 'free' | 'budgeted' => (budgetTerms === null ? 'free' : 'budgeted');

function statementOf(generation: NewAnswer, admission: AdmissionParameters): [string, unknown[]] {
  const { turn, isDemo } = generation;
  const form = formOf(generation);
  switch (turn.kind) {
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
const hasVersions = (turn: NewTurn): boolean =>
  turn.kind === 'regenerate' || (turn.kind === 'reply' && turn.parentId !== undefined);

/** The choice of the thread precedes that of the account. */
function instructionsIn({ instructions, use_instructions: ofThread }: AnswerRow): Instructions | null {
  if (instructions === null) return null;
  const { aboutMe, howToAnswer, useInstructions } = instructions;
  return (ofThread ?? useInstructions) ? { aboutMe, howToAnswer } : null;
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
