import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DetachedGenerations } from '../../chat/generation/detached/detached-generations.js';
import type { Identity } from '../../identity/identity.js';
import { toAppError } from '../../platform/errors/error-body.js';
import { KeepAlive } from '../keep-alive.js';
import { QuotaHeaders, setQuotaHeaders } from '../quota-headers.js';
import { type AnswerForm, AnswerStream, setModelUsed } from './answer-stream.js';
import { CompletionsService, type StartedCompletion } from './completions.service.js';

/** Sends the answers of completions, as events or whole. */
@Injectable()
export class CompletionAnswers {
  constructor(
    private readonly completions: CompletionsService,
    private readonly generations: DetachedGenerations,
    private readonly headers: QuotaHeaders,
    private readonly keepAlive: KeepAlive,
  ) {}

  /**
   * Starts a completion and sends its answer, which a disconnect stops.
   * @throws AppError before anything of the answer is sent
   */
  async send(
    identity: Identity,
    response: Response,
    start: () => Promise<StartedCompletion>,
    { isStreamed, formOf }: { isStreamed: boolean; formOf: (completion: StartedCompletion) => AnswerForm },
  ): Promise<void> {
    const completion = await this.headers.onRefusal(identity, response, start);
    setQuotaHeaders(response, completion.quota);
    this.completions.stopOnDisconnect(identity, completion, response);
    const form = formOf(completion);
    if (isStreamed) return this.stream(identity, response, completion, form);
    const answer = await this.generations.storedAnswer(identity.owner, completion.generationId);
    setModelUsed(response, answer.model ?? completion.model);
    response.json(form.whole(answer));
  }

  private async stream(
    { owner }: Identity,
    response: Response,
    completion: StartedCompletion,
    form: AnswerForm,
  ): Promise<void> {
    const stream = new AnswerStream(response, this.keepAlive.open(response), form, completion);
    try {
      stream.end(await this.generations.follow(owner, completion, (piece, model) => stream.write(piece, model)));
    } catch (error) {
      if (!stream.hasBegun) throw error;
      stream.fail(toAppError(error));
    }
  }
}
