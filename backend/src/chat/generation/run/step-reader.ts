import { LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import type { Traced } from '../../../platform/observability/tracing.js';
import type { ProviderEvent, ProviderMessage, ProviderRequest } from '../../../providers/provider.js';
import { ProviderRegistry } from '../../../providers/registry.js';
import type { Tool } from '../../../tools/tool.js';
import { GenerationMetrics } from '../live/generation-metrics.js';
import type { GenerationRun } from '../live/generation-run.js';
import { PartWriter } from './part-writer.js';
import { RunEmitter } from './run-emitter.js';
import { StepUsage } from './step-usage.js';
import type { RequestedCall } from './tool-part.js';

/** One step of the model: its text is in the run. */
export interface ReadStep {
  text: string;
  calls: RequestedCall[];
  /** Of a provider that takes it back under the name `reasoning_content`. */
  reasoningContent?: string;
  reasoningDetails?: unknown[];
  /** Kind of the connection that answered. */
  provider: string;
}

type OfferedTools = Pick<ProviderRequest, 'tools' | 'serverTools'>;

/** The tools of a request. A tool that another provider would run is left out. */
function requestedTools(provider: string, tools: readonly Tool[]): OfferedTools {
  const functions = tools.filter(({ hosted }) => hosted === undefined);
  const serverTools = tools.flatMap(({ hosted }) => (hosted?.provider === provider ? [hosted.definition] : []));
  return {
    ...(functions.length > 0 && {
      tools: functions.map(({ name, description, parameters }) => ({ name, description, parameters })),
    }),
    ...(serverTools.length > 0 && { serverTools }),
  };
}

/** Thrown out of the provider's stream to close it when the answer has reached its maximum length. */
class AnswerTooLong extends Error {
  readonly code = 'answer_cut';
}

/** Reads one step of an answer from its provider: records and emits each delta, and collects the calls. */
@Injectable()
export class StepReader {
  constructor(
    private readonly providers: ProviderRegistry,
    private readonly emitter: RunEmitter,
    private readonly parts: PartWriter,
    private readonly metrics: GenerationMetrics,
  ) {}

  /** @throws ProviderError, or the abort reason of the run */
  async read(run: GenerationRun, messages: ProviderMessage[], tools: readonly Tool[]): Promise<ReadStep> {
    const { modelId, connectionId, sampling, maxTokens, reasoningEffort, clientTools } = run.spec;
    const { provider, model, connection } = this.providers.forChat(modelId, connectionId);
    run.connection = connection;
    run.parts.hasReasoningContent = false;
    const textBefore = run.parts.lengthOf('text');
    const reasoningBefore = run.parts.lengthOf('reasoning');
    const step: ReadStep = { text: '', calls: [], provider: provider.name };
    const { signal } = run.controller;
    signal.throwIfAborted();
    const usage = new StepUsage(run, messages);
    try {
      const offered = clientTools ?? requestedTools(provider.name, tools);
      const request = { model, messages, sampling, maxTokens, reasoningEffort, ...offered };
      await this.traced(run, provider.name, model, (span) =>
        provider.stream(request, signal, (events) => {
          // A delta that arrives after Stop is dropped: the user has not seen it.
          signal.throwIfAborted();
          const isSilent = run.firstTokenMs === null;
          for (const event of events) this.take(run, step, event, usage);
          if (isSilent && run.firstTokenMs !== null) span.event('first token');
          if (run.isCut) throw new AnswerTooLong();
        }),
      );
      usage.close(step.calls, null);
    } catch (error) {
      usage.close(step.calls, error);
      if (!(error instanceof AnswerTooLong)) throw error;
      run.notices.add({ code: 'answer_cut', params: { max: LIMITS.answerCharacters } });
      step.calls = [];
    }
    step.text = run.text.slice(textBefore);
    if (step.reasoningContent !== undefined) step.reasoningContent = run.reasoning.slice(reasoningBefore);
    return step;
  }

  private traced(run: GenerationRun, provider: string, model: string, work: Traced<void>): Promise<void> {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': model,
    };
    return run.span.child('provider request', { kind: 'client', attributes, isPassive: true }, work);
  }

  private firstToken(run: GenerationRun): void {
    run.firstTokenMs = Math.round(run.age * 1000);
    this.metrics.firstToken(run.age);
  }

  private take(run: GenerationRun, step: ReadStep, event: ProviderEvent, usage: StepUsage): void {
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta':
        if (run.firstTokenMs === null) this.firstToken(run);
        this.emitter.emit(run, run.append(event.type, event.text));
        return;
      case 'usage':
        usage.report(event);
        return;
      case 'tool-call-delta':
        if (run.spec.clientTools === undefined) return;
        if (run.firstTokenMs === null) this.firstToken(run);
        run.appendClientCall(event);
        return;
      case 'tool-call':
        step.calls.push(event);
        return;
      case 'reasoning-content':
        step.reasoningContent = '';
        run.parts.hasReasoningContent = true;
        return;
      case 'reasoning-details':
        step.reasoningDetails = event.details;
        if (run.isDetached) run.reasoningDetails = event.details;
        return;
      case 'source':
        if (!run.isDetached) this.parts.addSource(run, event);
        return;
      case 'finish':
        run.finishReason = event.reason === 'tool-calls' && run.clientCalls.count === 0 ? 'stop' : event.reason;
        if (event.reason === 'length') run.notices.add({ code: 'answer_length' });
    }
  }
}
