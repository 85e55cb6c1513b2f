import { AppError, errorWithSentence, type StoredError } from '../../../platform/errors/app-error.js';
import { toAppError } from '../../../platform/errors/error-body.js';
import { causeOf, providerFailureOf } from '../../../providers/provider-cause.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { WaitingRun } from '../approvals/run-suspender.js';
import { endOf, type GenerationEnd } from '../end/generation-end.js';
import type { AnyRun, GenerationRun } from '../live/generation-run.js';
import type { AnswerWriter } from './answer-writer.js';
import { writeProgramAnswer } from '../detached/program-answer.js';
import type { RunServices } from './run-services.js';
import { drawImage, relay } from './single-call.js';
import { Steps } from './steps.js';

const empty = (): StoredError => new AppError('provider_error', { reason: 'empty' }).toGenerationError();

/**
 * Writes the answer of a run to its end, or until calls of tools wait for approval. An answer is a text in steps, the text for
 * a program, one image, or the result of another call, such as embeddings. Never rejects: every failure is an end.
 */
export async function writeAnswer(
  run: AnyRun,
  writer: AnswerWriter,
  services: RunServices,
): Promise<GenerationEnd | WaitingRun> {
  try {
    switch (run.kind) {
      case 'message': {
        const waiting = await new Steps(run, writer, services).write();
        return waiting ?? (isEmpty(run) ? endOf(run, 'error', empty()) : endOf(run, 'complete'));
      }
      case 'program':
        // A program gets an empty answer as such, with its finish reason.
        await writeProgramAnswer(run, run.detached!, services);
        return endOf(run, 'complete');
      case 'image':
        return endOf(run, 'complete', null, await drawImage(run, services));
      case 'relay':
        return endOf(run, 'complete', null, (await relay(run)) ?? undefined);
    }
  } catch (error) {
    return failedEnd(run, error, services);
  }
}

/** Neither a drawn image nor reasoning that reached the length which was asked for is an empty answer. */
function isEmpty({ text, reasoning, parts, notices }: GenerationRun): boolean {
  if (text !== '' || parts.count('image') > 0) return false;
  return parts.isCut || !notices.has('answer_length') || reasoning === '';
}

type Observers = Pick<RunServices, 'logger' | 'metrics'>;

function failedEnd(run: GenerationRun, error: unknown, { logger, metrics }: Observers): GenerationEnd {
  if (run.abortReason === 'stopped') return endOf(run, 'stopped');
  if (run.abortReason !== null) {
    const isRevoked = run.abortReason === 'access';
    const error = isRevoked ? new AppError('interrupted', { reason: 'access' }) : new AppError('interrupted');
    return endOf(run, 'interrupted', error.toGenerationError());
  }
  if (error instanceof ProviderError) return failedProvider(run, error, { logger, metrics });
  const known = toAppError(error);
  if (known.code === 'internal') logger.error({ err: error, ...run.ids }, 'generation failed');
  return endOf(run, 'error', known.toGenerationError());
}

function failedProvider(run: GenerationRun, error: ProviderError, { logger, metrics }: Observers): GenerationEnd {
  const { code, status } = error;
  if (error.isFiltered) run.detached?.append(0, { type: 'finish', reason: 'content_filter' });
  metrics.providerFailed(code);
  const cause = [run.connection?.name, causeOf(error)].filter(Boolean).join(': ');
  logger.warn({ ...run.ids, code, status, cause }, 'provider failed; ending the generation');
  const failure: StoredError = errorWithSentence(error).toGenerationError();
  const provider = providerFailureOf(error);
  run.providerFailure = { ...provider, errorCode: code };
  if (run.spec.thread?.showsCause) failure.cause = [cause, provider.message].filter(Boolean).join(' ');
  // A message is shown to people, who get the sentence alone.
  if (run.detached !== null) failure.provider = provider;
  return endOf(run, error.interrupted ? 'interrupted' : 'error', failure);
}
