import type {
  GenerationRegeneratePayload,
  GenerationStarted,
  GenerationStartPayload,
  MessageContent,
  MessageStatus,
  ReasoningEffort,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AttachedFiles } from '../../files/attached-files.js';
import { type ChatModel, ModelsService } from '../../models/models.service.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { sha256Hex } from '../../platform/secrets/sha256.js';
import type { Identity, Owner } from '../../identity/identity.js';
import { Tracing } from '../../platform/observability/tracing.js';
import { ProjectsService } from '../../projects/projects.service.js';
import { BudgetService } from '../../quota/budget.service.js';
import { QuotaService } from '../../quota/quota.service.js';
import { ToolRegistry } from '../../tools/tool-registry.js';
import { automaticTitle, toStoredContent } from '../messages/message-content.js';
import { MessageStore } from '../messages/message-store.js';
import { ThreadStore } from '../messages/thread-store.js';
import { AdmissionControl } from './admission/admission-control.js';
import type { NewTurn } from './admission/admission-store.js';
import { type RequestInAdmission, Idempotency, type RequestKey } from './admission/idempotency.js';
import { GenerationStopper } from './generation-stopper.js';
import { OwnerSockets } from '../sockets/owner-sockets.js';
import { effortFor } from './live/request-parameters.js';
import { RunRegistry } from './live/run-registry.js';
import { PromptEstimate } from './prompt-estimate.js';
import { type GenerationRow, GenerationStore } from './store/generation-store.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import type { Decision } from './approvals/approval-store.js';
import { type AskedRun, ThreadRuns } from './thread-runs.js';
import { ThreadLifetimes } from '../messages/thread-lifetimes.js';

/** A send, the same from every transport. */
export interface SendCommand extends Omit<GenerationStartPayload, 'model'> {
  /** null: that of the project of a new thread, else the asker's default. */
  model: string | null;
}

/** The answer that a send or a regeneration asks for. */
interface AskedAnswer extends AskedRun {
  turn: NewTurn;
}

const hashOf = (parts: unknown[]): string => sha256Hex(JSON.stringify(parts));

/** The content of a send that its idempotency key stands for. Sends without `attachments` hash as in earlier versions. */
const hashedParts = ({ threadId, content, editOf, temporary }: SendCommand): unknown[] => {
  const { attachments, ...older } = content;
  const parts: unknown[] = [threadId, toStoredContent(older), editOf ?? null];
  if (attachments?.length) parts.push(attachments.map(({ fileId }) => fileId));
  if (temporary) parts.push('temporary');
  return parts;
};

const PROJECT_NOT_NEW = 'The project of an existing thread is changed with PATCH /api/chat/threads/{id}.';

const NOT_TEMPORARY = 'Only a new chat can be made temporary.';

const NOT_NEW = 'Custom instructions of an existing thread are switched with PATCH /api/chat/threads/{id}.';

/** The entry to generations in threads, for the socket and for REST. `DetachedGenerations` is the one for the rest. */
@Injectable()
export class GenerationService {
  constructor(
    private readonly lifetimes: ThreadLifetimes,
    private readonly idempotency: Idempotency,
    private readonly admission: AdmissionControl,
    private readonly messages: MessageStore,
    private readonly store: GenerationStore,
    private readonly threads: ThreadStore,
    private readonly estimate: PromptEstimate,
    private readonly quotas: QuotaService,
    private readonly budgets: BudgetService,
    private readonly files: AttachedFiles,
    private readonly runs: ThreadRuns,
    private readonly stopper: GenerationStopper,
    private readonly approvals: ApprovalsService,
    private readonly registry: RunRegistry,
    private readonly sockets: OwnerSockets,
    private readonly tools: ToolRegistry,
    private readonly models: ModelsService,
    private readonly projects: ProjectsService,
    private readonly tracing: Tracing,
  ) {}

  /**
   * Admits a send and starts its generation. A repeated `clientMessageId` gets the first answer, free of quota.
   * @throws AppError `invalid`, `not_found`, `model_unavailable`, `model_premium`, `rate_limited`, `quota_exceeded`,
   * `budget_exceeded`, `price_unknown`, `thread_busy`, `idempotency_mismatch`, `tool_not_found`
   */
  async send(identity: Identity, command: SendCommand): Promise<GenerationStarted> {
    const { clientMessageId, reasoningEffort, fallback: mayFallBack } = command;
    const key = { clientMessageId, requestHash: hashOf(hashedParts(command)) };
    const { threadId } = command;
    return this.orEarlier(identity, { ...key, threadId }, async (request) => {
      const content = await this.files.withFileProperties(identity.owner, command.content);
      const { modelId, toolNames } = await this.choicesOf(identity, command);
      const turn = await this.turnOf(identity, command, toolNames, content);
      const model = this.admission.usableModel(identity, modelId);
      this.admission.requireEffort(model, reasoningEffort);
      const tools = await this.tools.offered(identity, toolNames);
      return this.admitAndRun(request, identity, { turn, model, reasoningEffort, tools, mayFallBack });
    });
  }

  /** Starts another answer to the same user message. The old answer stays as a version; a running one is stopped. */
  async regenerate(identity: Identity, payload: GenerationRegeneratePayload): Promise<GenerationStarted> {
    const { clientMessageId, messageId, fallback: mayFallBack } = payload;
    const key = { clientMessageId, requestHash: hashOf(['regenerate', messageId, payload.model ?? null]) };
    return this.orEarlier(identity, key, async (request) => {
      const answer = await this.messages.answer(identity.owner, messageId);
      if (answer === null) throw new AppError('not_found');
      const { threadId, userMessageId } = answer;
      const model = this.admission.usableModel(identity, payload.model ?? answer.modelId);
      const reasoningEffort = payload.reasoningEffort ?? (await this.earlierEffort(model, answer.generationId));
      this.admission.requireEffort(model, reasoningEffort);
      const tools = await this.tools.offered(identity, payload.tools ?? []);
      const running = await this.store.openGenerations({ threadIds: [threadId] });
      if (running.length > 0) {
        // A repeated request must not stop the answer that the first one started, maybe on another node during this call.
        const earlier = await request.earlier();
        if (earlier !== null) return this.resultOf(identity, earlier);
        await this.admission.checkBeforeStop(identity, model, running);
        await this.stopper.stopEach(running);
      }
      const turn: NewTurn = { kind: 'regenerate', threadId, userMessageId };
      return this.admitAndRun(request, identity, { turn, model, reasoningEffort, tools, mayFallBack });
    });
  }

  /**
   * Admits a request; for a copy of an earlier one, which every admission refuses, it returns the result of that one. Most
   * requests are new and for a thread of their owner, so both are looked up only after a refusal.
   */
  private async orEarlier(
    identity: Identity,
    { threadId = null, ...key }: RequestKey & { threadId?: number | null },
    admit: (request: RequestInAdmission) => Promise<GenerationStarted>,
  ): Promise<GenerationStarted> {
    using request = await this.idempotency.waitForTurn(identity, key);
    try {
      return await admit(request);
    } catch (refusal) {
      // Whatever else was wrong with it, nobody learns it of a thread of somebody else.
      if (refusal instanceof AppError && threadId !== null && !(await this.threads.find(identity.owner, threadId)))
        throw new AppError('not_found', { cause: refusal });
      // Rethrows the refusal of a new request.
      const earlier = await request.earlierInsteadOf(refusal);
      return await this.resultOf(identity, earlier);
    }
  }

  /** Admits an answer and starts its run: `gate`, `admitTurn`, `start`. */
  private async admitAndRun(
    request: RequestInAdmission,
    identity: Identity,
    asked: AskedAnswer,
  ): Promise<GenerationStarted> {
    const { turn, model, reasoningEffort, tools } = asked;
    const isImage = model.kind === 'image';
    const channel = isImage ? 'image' : 'web';
    const maxTokens = isImage ? undefined : model.parameters.max_tokens;

    const admitted = await this.tracing.span('admission', { attributes: { 'tanya.channel': channel } }, async () => {
      await this.admission.gate(request, model);
      const isBudgeted = this.budgets.isBudgeted(identity);
      const promptTokens = isBudgeted ? await this.estimate.tokens(identity.owner, turn, model, tools) : null;
      return this.admission.admitTurn(request, turn, { model, channel, reasoningEffort, promptTokens, maxTokens });
    });

    this.runs.start(identity, admitted, asked);

    const { generationId, account, thread, aiMessage } = admitted;
    const { threadId, userMessage, isTemporary } = thread;
    const quota = await this.quotas.quotaAfter(account, identity);
    this.sockets.threadChanged(identity.owner, { threadId, isTemporary });
    this.sockets.emit(identity.owner, 'quota:changed', quota);
    return { threadId, generationId, userMessage, aiMessage, quota, ...(isTemporary && { temporary: true }) };
  }

  /** Allows or denies a call that waits. The last decision about an answer lets it go on here. See `ApprovalsService.decide`. */
  async decide(owner: Owner, decision: Decision): Promise<MessageStatus> {
    // From the commit of the last decision until the run starts, the row of the answer would look like an orphan.
    using _reservation = this.registry.reserve(decision.generationId);
    const { status, decided } = await this.approvals.decide(owner, decision);
    if (decided !== null) await this.runs.continueRun(decided);
    return status;
  }

  /** The result of an earlier copy, as it is now. */
  private async resultOf(identity: Identity, row: GenerationRow): Promise<GenerationStarted> {
    const { threadId, userMessageId, messageId } = row;
    const userMessage = userMessageId === null ? null : await this.messages.find(userMessageId);
    const aiMessage = messageId === null ? null : await this.messages.find(messageId);
    if (threadId === null || userMessage === null || aiMessage === null) throw new AppError('not_found');
    const quota = await this.quotas.quotaOf(identity);
    const temporary = await this.threads.isTemporary(threadId);
    return {
      threadId,
      generationId: row.id,
      userMessage,
      aiMessage,
      quota,
      duplicate: true,
      ...(temporary && { temporary }),
    };
  }

  /** The model and the tools of a send. Omitted ones of a new thread in a project are those of the project. */
  private async choicesOf(
    identity: Identity,
    { threadId, model, tools, projectId }: SendCommand,
  ): Promise<{ modelId: string; toolNames: string[] }> {
    const defaults =
      threadId === null && projectId !== undefined ? await this.projects.defaultsFor(identity, projectId) : null;
    return {
      modelId: model ?? defaults?.modelId ?? this.models.defaultModelFor(identity),
      toolNames: tools ?? defaults?.tools ?? [],
    };
  }

  private async turnOf(
    identity: Identity,
    command: SendCommand,
    tools: string[],
    content: MessageContent,
  ): Promise<NewTurn> {
    const { threadId, editOf, useInstructions, projectId, temporary: isTemporary = false } = command;
    if (threadId !== null && useInstructions !== undefined) throw invalidField('useInstructions', NOT_NEW);
    if (threadId !== null && projectId !== undefined) throw invalidField('projectId', PROJECT_NOT_NEW);
    if (threadId !== null && isTemporary) throw invalidField('temporary', NOT_TEMPORARY);
    if (threadId === null) {
      if (editOf !== undefined) throw new AppError('not_found');
      const choices = {
        tools: [...new Set(tools)],
        useInstructions: useInstructions ?? null,
        projectId: projectId ?? null,
        lifetime: this.lifetimes.ofNew(identity, isTemporary),
        isTemporary,
      };
      return { kind: 'new-thread', title: automaticTitle(content), content, ...choices };
    }
    if (editOf === undefined) return { kind: 'reply', threadId, content };
    if ((await this.threads.find(identity.owner, threadId)) === null) throw new AppError('not_found');
    const edited = await this.messages.userMessage(threadId, editOf);
    if (edited === null) throw new AppError('not_found');
    return { kind: 'reply', threadId, content, parentId: edited.parentId };
  }

  private async earlierEffort(model: ChatModel, generationId: string | null): Promise<ReasoningEffort | undefined> {
    const effort = generationId === null ? null : await this.store.reasoningEffort(generationId);
    return effortFor(model, effort);
  }
}
