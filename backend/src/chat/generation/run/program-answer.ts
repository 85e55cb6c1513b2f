import type { ProviderEvent } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { withUniqueCalls } from '../prompt/prompt-calls.js';
import type { DetachedAnswer } from '../live/detached-answer.js';
import type { ProgramRun } from '../live/generation-run.js';
import { Fallbacks } from './fallbacks.js';
import { readStream } from './provider-stream.js';
import type { RunServices } from './run-services.js';

/**
 * Writes text for a program: one step, whose tools the program runs. The program gets refusals of its prompt and its tools.
 * @throws ProviderError, AppError, or the abort reason of the run
 */
export async function writeProgramAnswer(
  run: ProgramRun,
  answer: DetachedAnswer,
  services: RunServices,
): Promise<void> {
  const { clientTools } = run.spec;
  const life = { signal: run.controller.signal, ended: run.ended };
  const messages = withUniqueCalls(await run.span.enter(() => run.spec.messages(run.owner, life)));
  const fallbacks = new Fallbacks(run, services);
  const reader = {
    add: (event: ProviderEvent) => add(run, answer, event),
    isCut: () => answer.isCut,
    texts: () => answer.texts,
  };
  for (;;) {
    const { upstreamId, connectionId, parameters } = run.model;
    try {
      const { provider, model, connection } = services.providers.forChat(upstreamId, connectionId);
      run.connection = connection;
      const { firstPartMs, hasNext: hasFallback } = fallbacks;
      const request = { model, messages, ...parameters, hasFallback, ...clientTools };
      if (!(await readStream(run, provider, request, services, reader, firstPartMs))) answer.cut();
      return;
    } catch (error) {
      if (run.controller.signal.aborted || answer.isShown(false)) throw error;
      if (!(await fallbacks.next(error, { messages, hasTools: clientTools !== undefined })))
        throw fallbacks.giveUp(error);
    }
  }
}

function add(run: ProgramRun, answer: DetachedAnswer, event: ProviderEvent): void {
  const [choice, own] = event.type === 'choice' ? ([event.choice, event.event] as const) : ([0, event] as const);
  switch (own.type) {
    case 'text-delta':
    case 'reasoning-delta':
      run.noteFirstToken();
      answer.append(choice, own);
      return;
    case 'tool-call-delta':
      if (run.spec.clientTools === undefined) return;
      run.noteFirstToken();
      answer.append(choice, own);
      return;
    case 'pictures-left-out':
      // A program has no place for a notice, and would take the text alone for the whole answer.
      throw new ProviderError('provider_refused', { reason: 'pictures' });
    case 'usage':
    case 'text-was-reasoning':
      return;
    default:
      answer.append(choice, own);
  }
}
