import type { Instructions, Message, MessageContent } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource } from 'typeorm';
import { refusalOf, runIn, type RunStatement, Statements } from '../../../platform/database/statements.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../../platform/database/constraint-violations.js';
import { AppError } from '../../../platform/errors/app-error.js';
import type { Owner } from '../../../identity/identity.js';
import { AttachedFiles, hasFiles } from '../../../files/attached-files.js';
import type { InstructionsColumn } from '../../../preferences/preferences-sql.js';
import { BudgetService } from '../../../quota/budget.service.js';
import { type QuotaAccount, QuotaService } from '../../../quota/quota.service.js';
import { searchText, toStoredContent } from '../../messages/message-content.js';
import { MessageStore } from '../../messages/message-store.js';
import { type MessageRow, toMessage } from '../../messages/message-view.js';
import type { RunThread } from '../live/run-spec.js';
import { hasMaxRunning, tooManyRunning } from '../store/generation-store.js';
import {
  type AdmissionParameters,
  type ThreadToBegin,
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

/** The message that an answer is for. */
export type NewTurn =
  | ({ kind: 'new-thread'; content: MessageContent } & ThreadToBegin)
  /** Without `parentId` the message follows the end of the shown path. */
  | { kind: 'reply'; threadId: number; content: MessageContent; parentId?: number | null }
  | { kind: 'regenerate'; threadId: number; userMessageId: number };

/** An answer in a thread, as it is committed. */
export interface InsertedAnswer {
  account: QuotaAccount;
  thread: Omit<RunThread, 'showsCause'>;
  aiMessage: Message;
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

/** Runs the statement of an admission. */
@Injectable()
export class AdmissionStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly statements: Statements,
    private readonly messages: MessageStore,
    private readonly files: AttachedFiles,
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
  ) {}

  /**
   * @throws AppError `quota_exceeded`, `budget_exceeded`, `rate_limited`, `conflict` (the client message id exists),
   *   `account_suspended`, `unauthenticated` (the API key was deleted or revoked)
   */
  async insertDetached(parameters: AdmissionParameters): Promise<QuotaAccount> {
    try {
      const [row] = await this.statements.run<AccountRow>(...admitDetached[formOf(parameters)](parameters));
      return this.accountIn(row);
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  /**
   * A message without files and versions is one statement; those need further ones, in the same transaction.
   * @throws AppError as `insertDetached`, and `thread_busy`, `not_found`
   */
  async insertAnswer(parameters: AdmissionParameters, turn: NewTurn): Promise<InsertedAnswer> {
    const files = 'content' in turn && hasFiles(turn.content) ? turn.content : null;
    try {
      if (files === null && !hasVersions(turn)) return await this.runStatement(this.statements.run, parameters, turn);
      return await this.dataSource.transaction(async (manager) => {
        const inserted = await this.runStatement(runIn(manager), parameters, turn);
        if (files !== null) await this.files.attach(manager, parameters.owner, files, inserted.thread.threadId);
        return inserted;
      });
    } catch (error) {
      throw this.refusalFor(error);
    }
  }

  /**
   * Refuses what `insertAnswer` would refuse for the number of running answers.
   * @param ending running answers of the owner that end before it
   * @throws AppError `rate_limited`
   */
  async checkRunning(owner: Owner, ending: number): Promise<void> {
    if (await hasMaxRunning(this.dataSource.manager, owner, ending)) throw tooManyRunning();
  }

  private async runStatement(
    run: RunStatement,
    parameters: AdmissionParameters,
    turn: NewTurn,
  ): Promise<InsertedAnswer> {
    const [row] = await run<AnswerRow>(...statementOf(parameters, turn));
    const account = this.accountIn(row);
    const { thread_id: threadId, user_message: userMessage, ai_message: aiMessage } = row!;
    const versions = hasVersions(turn)
      ? await this.messages.versionsOf(threadId, [userMessage.id, aiMessage.id], run)
      : new Map<number, number[]>();
    return {
      account,
      thread: {
        threadId,
        messageId: aiMessage.id,
        userMessage: toMessage(userMessage, versions.get(userMessage.id)),
        instructions: instructionsIn(row!),
        projectId: row!.project_id,
        lacksTitle: row!.lacks_title ?? false,
        isTemporary: row!.is_temporary ?? false,
      },
      aiMessage: toMessage(aiMessage, versions.get(aiMessage.id)),
    };
  }

  /** @throws AppError `quota_exceeded` */
  private accountIn(row: AccountRow | undefined): QuotaAccount {
    if (row?.owner == null) throw this.quotas.exceeded();
    const { owner, period, charged, held, version } = row as QuotaAccount;
    return { owner, period, charged, held, version };
  }

  /** The error for the client of a statement that Postgres refused; any other error stays. */
  private refusalFor(error: unknown): unknown {
    return this.budgets.exceeded(error) ?? refusedAs(error);
  }
}

const formOf = ({ budgetTerms }: AdmissionParameters): 'unbudgeted' | 'budgeted' =>
  budgetTerms === null ? 'unbudgeted' : 'budgeted';

function statementOf(parameters: AdmissionParameters, turn: NewTurn): [string, unknown[]] {
  const form = formOf(parameters);
  if (turn.kind === 'regenerate') return admitRegeneration[form]({ ...parameters, ...turn });
  const content = toStoredContent(turn.content);
  const message = { ...parameters, content, searchText: searchText(content) };
  if (turn.kind === 'new-thread') return admitNewThread[form]({ ...turn, ...message });
  const { threadId, parentId = null } = turn;
  return admitReply[form]({ ...message, threadId, hasParent: turn.parentId !== undefined, parentId });
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
