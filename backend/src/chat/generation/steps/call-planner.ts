import type { ToolPart } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/app-error.js';
import { ToolRegistry } from '../../../tools/tool-registry.js';
import type { Tool, ToolPolicy } from '../../../tools/tool.js';
import type { GenerationRun } from '../run/generation-run.js';
import { CallContext } from './call-context.js';
import { argumentsOf, callIdFor, type RequestedCall, toolNameOf } from './tool-part.js';

/** A call of the model, and the tool that runs it; null for a call that does not run. */
export interface PlannedCall {
  part: ToolPart;
  tool: Tool | null;
}

/** Decides whether a call of the model may run. The model reads why another one did not. */
@Injectable()
export class CallPlanner {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly context: CallContext,
  ) {}

  /** @param provider kind of the connection that answers */
  async plan(run: GenerationRun, call: RequestedCall, provider: string): Promise<PlannedCall> {
    const { args, invalid } = argumentsOf(call);
    const offered = run.spec.tools?.offered.find((tool) => tool.name === call.name);
    const name = toolNameOf(call.name);
    const callId = callIdFor(call.id, (id) => run.parts.call(id) !== undefined);
    const part: ToolPart = { type: 'tool', callId, tool: name, title: offered?.title ?? name, args, state: 'running' };
    if (offered === undefined) return refused(part, 'failed', 'There is no tool with this name.');
    if (invalid !== undefined) return refused(part, 'failed', invalid);
    const tool = await this.currentTool(run, offered.name);
    if (tool === null) return refused(part, 'failed', 'This tool is no longer available.');
    const policy = await this.policyOf(run, tool, part, provider);
    return policy === 'allow' ? { part, tool } : refused(part, 'denied', "This call needs the user's approval.");
  }

  /** The tool as the asker may use it now. Access may have changed since the send. */
  private async currentTool(run: GenerationRun, name: string): Promise<Tool | null> {
    try {
      const [tool] = await this.registry.offered(run.spec.tools!.identity, [name]);
      return tool ?? null;
    } catch (error) {
      if (error instanceof AppError && error.code === 'tool_not_found') return null;
      throw error;
    }
  }

  /** A policy that cannot be decided is `ask`. */
  private async policyOf(run: GenerationRun, tool: Tool, part: ToolPart, provider: string): Promise<ToolPolicy> {
    if (tool.policyOf === undefined) return tool.policy;
    const context = this.context.of(run, part.callId, provider, run.controller.signal);
    return tool.policyOf(part.args, context).catch(() => 'ask');
  }
}

const refused = (part: ToolPart, state: 'failed' | 'denied', error: string): PlannedCall => ({
  part: { ...part, state, error },
  tool: null,
});
