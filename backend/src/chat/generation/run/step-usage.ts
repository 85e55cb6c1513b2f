import type { ProviderMessage, ProviderUsage } from '../../../providers/provider.js';
import { mayBeBilled } from '../../../providers/provider-error.js';
import { estimateTokens, promptTokens } from '../../../providers/token-estimate.js';
import type { GenerationRun } from '../live/generation-run.js';
import type { RequestedCall } from './tool-part.js';

/** Measures the usage of one step: as the provider reports it, otherwise estimated from its messages and its text. */
export class StepUsage {
  private isReported = false;
  private readonly seqBefore: number;
  private readonly textBefore: number;
  private readonly reasoningBefore: number;

  constructor(
    private readonly run: GenerationRun,
    private readonly messages: readonly ProviderMessage[],
  ) {
    this.seqBefore = run.seq;
    this.textBefore = run.parts.lengthOf('text');
    this.reasoningBefore = run.parts.lengthOf('reasoning');
  }

  report(usage: ProviderUsage): void {
    this.isReported = true;
    this.run.addUsage(usage);
  }

  /**
   * @param calls that the step asked for
   * @param error that ended the step; null for a complete one
   */
  close(calls: readonly RequestedCall[], error: unknown): void {
    const { clientCalls } = this.run;
    const hasAnswered = calls.length + clientCalls.count > 0 || this.run.seq > this.seqBefore;
    if (this.isReported || (error !== null && !hasAnswered && !mayBeBilled(error))) return;
    const texts = [
      this.run.text.slice(this.textBefore),
      this.run.reasoning.slice(this.reasoningBefore),
      ...(clientCalls.count > 0 ? clientCalls.all : calls).map((call) => JSON.stringify(call)),
    ];
    for (const { text, reasoning, calls = [] } of this.run.furtherChoices.all)
      texts.push(text, reasoning?.text ?? '', ...calls.map((call) => JSON.stringify(call)));
    const completionTokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    this.run.meter.estimate({ promptTokens: promptTokens(this.messages), completionTokens });
  }
}
