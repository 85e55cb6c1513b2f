import type { ProviderEvent } from '../../../providers/provider.js';
import { ProviderError } from '../../../providers/provider-error.js';
import { withUniqueCalls } from '../prompt/prompt-calls.js';
import type { DetachedAnswer } from '../detached/detached-answer.js';
import type { ProgramRun } from '../live/generation-run.js';
import { Attempts, type AttemptServices } from './attempts.js';

/**
 * Writes text for a program: one step, whose tools the program runs. The program gets refusals of its prompt and its tools.
 * @throws ProviderError, AppError, or the abort reason of the run
 */
export async function writeProgramAnswer(
  run: ProgramRun,
  answer: DetachedAnswer,
  services: AttemptServices,
): Promise<void> {
  const life = { signal: run.controller.signal, ended: run.ended };
  const messages = withUniqueCalls(await run.span.enter(() => run.spec.messages(run.owner, life)));
  const { isWhole } = await new Attempts(run, services).read({
    request: () => {
      answer.restart();
      return { messages, ...run.model.parameters, ...run.spec.clientTools };
    },
    add: (event) => add(run, answer, event),
    isWritten: () => answer.isWritten,
    isCut: () => answer.isCut,
    texts: () => answer.texts,
  });
  if (!isWhole) answer.cut();
}

/** @param given an event of the first answer, or one of a further answer with its number */
function add(run: ProgramRun, answer: DetachedAnswer, given: ProviderEvent): void {
  const { choice, event } = given.type === 'choice' ? given : { choice: 0, event: given };
  switch (event.type) {
    case 'text-delta':
    case 'reasoning-delta':
      run.noteFirstToken();
      answer.append(choice, event);
      return;
    case 'tool-call-delta':
      if (run.spec.clientTools === undefined) return;
      run.noteFirstToken();
      answer.append(choice, event);
      return;
    case 'pictures-left-out':
      // A program has no place for a notice, and would take the text alone for the whole answer.
      throw new ProviderError('provider_refused', { reason: 'pictures' });
    case 'usage':
    case 'text-was-reasoning':
      return;
    default:
      answer.append(choice, event);
  }
}
