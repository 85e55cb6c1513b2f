import type { ToolPart } from '@tanya/contract';
import { Inject, Injectable } from '@nestjs/common';
import { TIMINGS, type Timings } from '../../../config/timings.js';
import { type Identity, planNameOf } from '../../../identity/identity.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { QuotaService } from '../../../quota/quota.service.js';
import { ToolRegistry } from '../../../tools/tool-registry.js';
import type { Tool, ToolPolicy } from '../../../tools/tool.js';
import { retryWhileStorageIsAway } from '../../../platform/resilience/storage-retries.js';
import type { GenerationRun } from '../live/generation-run.js';
import { askerOf, CallContext } from './call-context.js';
import { argumentsOf, callIdFor, type RequestedCall, toolNameOf } from './tool-part.js';

/** A call of the model, and the tool that runs it; null for a call that does not run. A `waiting` one needs approval first. */
export interface PlannedCall {
  part: ToolPart;
  tool: Tool | null;
}

/** Decides whether a call of the model may run. The model reads why another one did not. */
@Injectable()
export class CallPlanner {
  constructor(
    @Inject(TIMINGS) private readonly timings: Timings,
    private readonly registry: ToolRegistry,
    private readonly context: CallContext,
    private readonly quotas: QuotaService,
  ) {}

  /**
   * Plans by the asker of the send; `currentTool` decides about the plan of now.
   * @param provider kind of the connection that answers
   * @param isUsed whether a call without a part has the id
   */
  async plan(
    run: GenerationRun,
    call: RequestedCall,
    { provider, isUsed }: { provider: string; isUsed: (callId: string) => boolean },
  ): Promise<PlannedCall> {
    const { args, invalid } = argumentsOf(call);
    const offered = run.spec.tools?.offered.find((tool) => tool.name === call.name);
    const name = toolNameOf(call.name);
    const callId = callIdFor(call.id, (id) => run.parts.call(id) !== undefined || isUsed(id));
    const part: ToolPart = { type: 'tool', callId, tool: name, title: offered?.title ?? name, args, state: 'running' };
    if (offered === undefined) return refused(part, 'failed', 'There is no tool with this name.');
    if (invalid !== undefined) return refused(part, 'failed', invalid);
    const tool = await this.currentTool(askerOf(run), offered.name);
    if (tool === null) return refused(part, 'failed', UNAVAILABLE);
    const policy = await this.policyOf(run, tool, part, provider);
    return { part: policy === 'allow' ? part : { ...part, state: 'waiting' }, tool };
  }

  /** The asker with the plan as of now, which may have changed since the send. One query. */
  async currentIdentity(run: GenerationRun): Promise<Identity> {
    const plan = await retryWhileStorageIsAway(() => this.quotas.planOf(run.owner), {
      timeoutMs: this.timings.settleRetry,
      signal: run.controller.signal,
    });
    return { ...run.spec.tools!.identity, ...plan, owner: run.owner };
  }

  /** The tool as the asker may use it now; null when access has ended since the send. */
  async currentTool(identity: Identity, name: string): Promise<Tool | null> {
    try {
      const [tool] = await this.registry.offered(identity, [name]);
      return tool ?? null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'tool_not_found') return null;
      throw error;
    }
  }

  /** Whether the asker may still use a tool that was planned a moment ago: the plan alone decides about an offer. */
  async isStillOffered(run: GenerationRun, identity: Identity, name: string): Promise<boolean> {
    if (planNameOf(identity) === planNameOf(askerOf(run))) return true;
    return (await this.currentTool(identity, name)) !== null;
  }

  /** A policy that cannot be decided is `ask`. */
  private async policyOf(run: GenerationRun, tool: Tool, part: ToolPart, provider: string): Promise<ToolPolicy> {
    if (tool.policyOf === undefined) return tool.policy;
    const context = this.context.of(run, part.callId, provider, run.controller.signal);
    return tool.policyOf(part.args, context).catch(() => 'ask');
  }
}

const UNAVAILABLE = 'This tool is no longer available.';

/** The end of a call whose tool the asker may no longer use. */
export const unavailable = { state: 'failed', error: UNAVAILABLE } as const;

const refused = (part: ToolPart, state: 'failed', error: string): PlannedCall => ({
  part: { ...part, state, error },
  tool: null,
});
