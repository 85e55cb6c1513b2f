import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '../../../platform/observability/logging.js';
import { type Span, Tracing } from '../../../platform/observability/tracing.js';
import { writeAnswer } from './answer.js';
import { AnswerWriter } from './answer-writer.js';
import { RunServices } from './run-services.js';
import { RunSuspender } from '../approvals/run-suspender.js';
import { endOf, type GenerationEnd, notStored } from '../end/generation-end.js';
import { RunEnds } from '../end/run-ends.js';
import { type AnyRun, GenerationRun } from '../live/generation-run.js';
import type { RunSpec } from '../live/run-spec.js';
import { RunRegistry } from '../live/run-registry.js';

/**
 * The lifecycle of runs: launches an admitted generation, reads its answer and finalizes it exactly once. A run outlives
 * the socket that started it.
 */
@Injectable()
export class GenerationEngine {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly registry: RunRegistry,
    private readonly services: RunServices,
    private readonly ends: RunEnds,
    private readonly suspender: RunSuspender,
    private readonly tracing: Tracing,
  ) {}

  /** Starts an admitted generation. The first read happens in a later turn, so that the ack precedes every event. */
  launch(spec: RunSpec): GenerationRun {
    const run = new GenerationRun(spec, spec.asker.owner) as AnyRun;
    this.registry.add(run);
    // The images that a tool draws are answers of the same request.
    if (spec.asker.request !== undefined) spec.asker.request.answer ??= run;
    const attributes = { 'tanya.generation.id': run.id, 'gen_ai.request.model': run.model.modelId };
    const options = { attributes, isPassive: true };
    const execute = (span: Span) => this.execute(run, span);
    // A run that continues belongs to the trace of the send, not to that of the approval.
    if (spec.kind === 'message' && spec.restored !== undefined)
      void this.tracing.join(run.id, 'generation', options, execute);
    else void this.tracing.span('generation', options, execute);
    return run;
  }

  private async execute(run: AnyRun, span: Span): Promise<void> {
    run.span = span;
    await nextTurn();
    try {
      const writer = new AnswerWriter(run, this.services);
      const written = await writeAnswer(run, writer, this.services);
      if (written.status === 'waiting') {
        const status = await run.span.enter(() => this.suspender.suspend(written));
        run.span.set({ 'tanya.generation.status': status });
        if (status !== 'unstored') return;
      }
      const end = written.status === 'waiting' ? endOf(run, 'error', notStored()) : written;
      run.isEnding = true;
      await run.span.enter(() => this.ends.store(run, end));
      noteInSpan(run, end);
    } catch (error) {
      this.logger.error({ err: error, ...run.ids }, 'generation could not be ended; the reaper will end it');
    } finally {
      this.registry.remove(run);
      // Counts only for a run whose end could not be stored.
      run.markEnded('interrupted');
    }
  }
}

function noteInSpan(run: GenerationRun, { status, error }: GenerationEnd): void {
  run.span.set({
    'tanya.generation.status': status,
    'gen_ai.usage.input_tokens': run.usage?.promptTokens,
    'gen_ai.usage.output_tokens': run.usage?.completionTokens,
  });
  if (error !== null) run.span.fail(error.code);
}
