import type { ToolPart } from '@tanya/contract';
import { type Asker, planNameOf } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { isTimeout, untilAborted, withDeadline } from '../../../platform/resilience/with-deadline.js';
import type { ToolCallEvent } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { PreparedCall, CallableTool, Tool, ToolContext, ToolPolicy, ToolResult } from '../../../tools/tool.js';
import type { AskerNow } from '../live/model-access.js';
import type { MessageRun } from '../live/generation-run.js';
import type { AnswerProgress } from '../live/run-spec.js';
import type { TextChunk } from '../store/generation-store.js';
import { endedCall, runningCall, waitingCall } from '../store/call-states.js';
import type { AnswerWriter } from './answer-writer.js';
import { KnownAddresses } from './known-addresses.js';
import { type RunServices, storeChange, retryStorage } from './run-services.js';
import { argumentsOf, callIdFor, toolNameOf } from './tool-part.js';

/** Bound of one call in ms. Tools have shorter timeouts of their own; a generated image takes up to three minutes. */
const CALL_TIMEOUT_MS = 200_000;

/** The end of a call whose tool the asker may no longer use. */
const UNAVAILABLE = 'This tool is no longer available.';

/** A call of the model, and the tool that runs it; null for a call that does not run. A `waiting` one needs approval first. */
interface PlannedCall {
  part: ToolPart;
  tool: CallableTool | null;
}

/** A call that may run once it is committed. */
interface RunnableCall {
  part: ToolPart;
  tool: CallableTool;
}

interface CommittedCall extends RunnableCall {
  start: PreparedCall;
}

type Services = Pick<
  RunServices,
  'timings' | 'logger' | 'tracing' | 'metrics' | 'saver' | 'tools' | 'access' | 'calls' | 'messages' | 'threads'
>;

const hasTermsOf = (one: Asker, other: Asker): boolean =>
  planNameOf(one) === planNameOf(other) &&
  one.isAdmin === other.isAdmin &&
  String(one.groupIds) === String(other.groupIds);

/**
 * The calls of tools of one run. Calls are committed before they run and their results after it, each in one commit with a
 * checkpoint of the answer. A crash in between leaves a call that the end of the generation interrupts; no node runs it
 * again.
 */
export class ToolCalls {
  /** The asker as the last calls read it; null before them. */
  lastAsker: AskerNow | null = null;
  private readonly addresses: KnownAddresses;

  constructor(
    private readonly run: MessageRun,
    private readonly writer: AnswerWriter,
    private readonly services: Services,
  ) {
    this.addresses = new KnownAddresses(run, services);
  }

  /**
   * Runs those calls of a step that need no approval, concurrently and each at most once.
   * @param provider kind of the connection that answers
   * @returns the ids of all calls, and those that wait for approval and have no part yet
   * @throws the abort reason of the run
   */
  async runStep(
    requested: readonly ToolCallEvent[],
    provider: string,
  ): Promise<{ callIds: string[]; waiting: ToolPart[] }> {
    // The asker is read while the calls are committed. Nothing runs before both.
    const both = [this.currentAsker(), this.planAndCommit(requested, provider)] as const;
    // After a failure of one the run may end only when the other writes nothing more.
    await Promise.allSettled(both);
    const [asker, { planned, committed }] = await Promise.all(both);
    const waitingParts: ToolPart[] = [];
    for (const { part, tool } of planned.filter(({ part }) => part.state === 'waiting')) {
      if (await this.isStillOffered(asker, tool!.name)) waitingParts.push(part);
      else this.addEnded(endedCall(part, 'failed', UNAVAILABLE));
    }
    await this.runAll(committed, asker);
    return { callIds: planned.map(({ part }) => part.callId), waiting: waitingParts };
  }

  /**
   * Runs the calls that the user has allowed. The denied ones have ended. The tools of the run are those that the asker could
   * use when the answer went on; like every call, these ask again if the rights of the asker have changed since.
   */
  async runAllowed({ provider }: AnswerProgress): Promise<void> {
    const asker = await this.currentAsker();
    const allowed: RunnableCall[] = [];
    for (const part of this.run.parts.allowedCalls) {
      const tool = this.toolOfRun(part.tool);
      if (tool === undefined || tool.hosted) {
        const call = this.writer.changeCall(endedCall(part, 'failed', UNAVAILABLE));
        this.services.metrics.toolCalled(call.state);
        await this.storeResult(call);
      } else allowed.push({ part: this.writer.changeCall(runningCall(part)), tool });
    }
    await this.runAll(await this.commitCalls(allowed, provider, true), asker);
  }

  /** Writes the calls of a step and commits those that need no approval. */
  private async planAndCommit(
    requested: readonly ToolCallEvent[],
    provider: string,
  ): Promise<{ planned: PlannedCall[]; committed: CommittedCall[] }> {
    const planned: PlannedCall[] = [];
    for (const call of requested) {
      const plan = await this.plan(call, provider, (id) => planned.some(({ part }) => part.callId === id));
      this.run.controller.signal.throwIfAborted();
      planned.push(plan);
      if (plan.part.state === 'running') this.writer.addPart(plan.part);
      else if (plan.part.state === 'failed') this.addEnded(plan.part);
    }
    const runnable = planned.filter(
      (call): call is RunnableCall => call.tool !== null && call.part.state === 'running',
    );
    return { planned, committed: await this.commitCalls(runnable, provider) };
  }

  /**
   * Decides whether a call may run, by the asker of the send; the model reads why another one did not.
   * @param isUsed whether a call without a part has the id
   */
  private async plan(call: ToolCallEvent, provider: string, isUsed: (callId: string) => boolean): Promise<PlannedCall> {
    const { run } = this;
    const { args, invalid } = argumentsOf(call);
    const offered = this.toolOfRun(call.name);
    const name = toolNameOf(call.name);
    const callId = callIdFor(call.id, (id) => run.parts.call(id) !== undefined || isUsed(id));
    const part: ToolPart = { type: 'tool', callId, tool: name, title: offered?.title ?? name, args, state: 'running' };
    const refused = (error: string): PlannedCall => ({ part: endedCall(part, 'failed', error), tool: null });
    if (offered === undefined) return refused('There is no tool with this name.');
    if (invalid !== undefined) return refused(invalid);
    const tool = await this.toolFor(run.asker, offered.name);
    if (tool === null) return refused(UNAVAILABLE);
    const policy = await this.policyOf(tool, part, provider);
    return { part: policy === 'allow' ? part : waitingCall(part), tool };
  }

  /** A policy that cannot be decided is `ask`. */
  private async policyOf(tool: CallableTool, part: ToolPart, provider: string): Promise<ToolPolicy> {
    if (tool.policyOf === undefined) return tool.policy;
    return tool.policyOf(part.args, this.contextOf(part.callId, provider)).catch(() => 'ask');
  }

  /** Commits calls, and lets their tools prepare them meanwhile. */
  private async commitCalls(
    calls: readonly RunnableCall[],
    provider: string,
    isApproved = false,
  ): Promise<CommittedCall[]> {
    if (calls.length === 0) return [];
    const { run, services } = this;
    const committed = calls.map(({ part, tool }): CommittedCall => {
      const prepared = tool.prepare(part.args, { ...this.contextOf(part.callId, provider), isApproved });
      // A failure counts when the call runs.
      prepared.catch(() => undefined);
      return { part, tool, start: async (signal) => (await prepared)(signal) };
    });
    const parts = calls.map(({ part }) => part);
    await this.store((chunk) => services.calls.commitCalls(run.id, parts, chunk));
    return committed;
  }

  private storeResult(call: ToolPart): Promise<void> {
    return this.store((chunk) => this.services.calls.storeResult(this.run.id, call, chunk));
  }

  /**
   * Stores a change of calls together with a checkpoint.
   * @throws the abort reason when the run was stopped, or when another node has ended the generation
   */
  private async store(write: (chunk: TextChunk | null) => Promise<boolean>): Promise<void> {
    await storeChange(this.run, this.services, () => this.services.saver.saveWith(this.run, write));
  }

  /** Runs committed calls. When the result of one cannot be stored, the others are aborted too. */
  private async runAll(calls: readonly CommittedCall[], asker: Asker): Promise<void> {
    const others = new AbortController();
    const signal = AbortSignal.any([this.run.controller.signal, others.signal]);
    try {
      await Promise.all(calls.map((call) => this.runOne(call, asker, signal)));
    } catch (error) {
      others.abort(error);
      throw error;
    }
  }

  private runOne({ part, tool, start }: CommittedCall, asker: Asker, aborted: AbortSignal): Promise<void> {
    const { tracing, metrics } = this.services;
    // Neither arguments nor the result, which may quote the user.
    const attributes = { 'gen_ai.tool.name': part.tool, 'gen_ai.tool.call.id': part.callId };
    return tracing.span('tool call', { attributes }, async (span) => {
      const began = performance.now();
      const result = await withDeadline(CALL_TIMEOUT_MS, aborted, (signal) =>
        untilAborted(signal, async () => {
          const isUsable = await this.isStillOffered(asker, tool.name);
          return isUsable ? start(signal) : { text: UNAVAILABLE, isError: true };
        }),
      ).catch((error: unknown) => this.failure(tool, error));
      // A result that arrives after Stop is dropped: the answer has ended without it.
      aborted.throwIfAborted();
      const endedPart = this.writer.endCall(part.callId, result, Math.round(performance.now() - began));
      metrics.toolCalled(endedPart.state);
      await this.storeResult(endedPart);
      span.set({ 'tanya.call.state': endedPart.state });
    });
  }

  private failure(tool: CallableTool, error: unknown): ToolResult {
    if (error instanceof AppError || error instanceof ProviderError) return { text: error.message, isError: true };
    if (isTimeout(error)) return { text: 'The tool did not answer in time.', isError: true };
    const fields = { err: error, ...this.run.ids, tool: tool.name };
    if (!this.run.controller.signal.aborted)
      this.services.logger.warn(fields, 'tool failed; reporting it to the model');
    return { text: 'The tool failed.', isError: true };
  }

  /** Shows a call that does not run. */
  private addEnded(part: ToolPart): void {
    this.writer.addPart(part);
    this.services.metrics.toolCalled(part.state);
  }

  /** The asker with the rights of now, which may have changed since the send. One query. */
  private async currentAsker(): Promise<Asker> {
    this.lastAsker = await retryStorage(this.run, this.services, () => this.services.access.now(this.run.asker));
    return this.lastAsker.asker;
  }

  private toolOfRun(name: string): Tool | undefined {
    const { projectTools, spec } = this.run;
    return [...projectTools, ...(spec.tools?.offered ?? [])].find((tool) => tool.name === name);
  }

  /** The tool as this asker may use it; null without access to it, or when a provider runs it. */
  private async toolFor(asker: Asker, name: string): Promise<CallableTool | null> {
    const ofProject = this.run.projectTools.find((tool) => tool.name === name);
    // Each of its calls asks whether the asker still belongs to the project.
    if (ofProject !== undefined) return ofProject;
    const [tool] = await this.services.tools.usable(asker, [name]);
    return tool === undefined || tool.hosted ? null : tool;
  }

  /** Whether the asker may still use a tool that was looked up for the send: only other rights can change that. */
  private async isStillOffered(asker: Asker, name: string): Promise<boolean> {
    if (hasTermsOf(asker, this.run.asker)) return true;
    return (await this.toolFor(asker, name)) !== null;
  }

  private contextOf(callId: string, provider: string): ToolContext {
    const { asker } = this.run;
    const { modelId, connectionId } = this.run.model;
    const { thread, tools } = this.run.spec;
    return {
      asker,
      threadId: thread.threadId,
      generationId: this.run.id,
      callId,
      signal: this.run.controller.signal,
      model: { modelId, connectionId, provider },
      knownAddresses: () => this.addresses.all(),
      // The image is another generation, with the owner, the rights and the quota of now.
      drawImage: (prompt, signal) => {
        const { owner, userId } = this.run.asker;
        return tools!.drawImage({
          asker: { ...(this.lastAsker?.asker ?? asker), owner, userId },
          callId,
          prompt,
          signal,
        });
      },
    };
  }
}
