import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DetachedGenerations } from '../../chat/generation/detached/detached-generations.js';
import type { Identity } from '../../identity/identity.js';
import { toAppError } from '../../platform/errors/error-body.js';
import { KeepAlive } from '../keep-alive.js';
import { setQuotaHeaders } from '../quota-headers.js';
import { type AnswerEncoder, AnswerStream, setModelUsed } from './answer-stream.js';
import type { StartedCompletion } from './completions.service.js';

/** Sends the answers of completions to their clients, as events or whole. */
@Injectable()
export class CompletionAnswers {
  constructor(
    private readonly generations: DetachedGenerations,
    private readonly keepAlive: KeepAlive,
  ) {}

  /**
   * Sends the answer of a completion, which a disconnect stops.
   * @throws AppError before anything of the answer is sent
   */
  async send(
    identity: Identity,
    response: Response,
    completion: StartedCompletion,
    { isStreamed, encoder }: { isStreamed: boolean; encoder: AnswerEncoder },
  ): Promise<void> {
    setQuotaHeaders(response, completion.quota);
    this.stopOnDisconnect(identity, response, completion);
    if (isStreamed) return this.stream(identity, response, completion, encoder);
    const answer = await this.generations.storedAnswer(identity.owner, completion.generationId);
    setModelUsed(response, answer.model ?? completion.model);
    response.json(encoder.whole(answer));
  }

  /** Stops a completion whose client leaves before the end of the response. */
  stopOnDisconnect({ owner }: Identity, response: Response, { isOwn, generationId }: StartedCompletion): void {
    // One that an earlier request has started has a reader of its own.
    if (!isOwn) return;
    const stop = (): void => {
      if (!response.writableFinished) void this.generations.abandon(owner, generationId);
    };
    // The client may have disconnected before the generation existed.
    if (response.closed) stop();
    else response.on('close', stop);
  }

  private async stream(
    { owner }: Identity,
    response: Response,
    completion: StartedCompletion,
    encoder: AnswerEncoder,
  ): Promise<void> {
    const stream = new AnswerStream(response, this.keepAlive.open(response), encoder, completion);
    try {
      stream.end(await this.generations.follow(owner, completion, (piece, model) => stream.write(piece, model)));
    } catch (error) {
      if (!stream.hasBegun) throw error;
      stream.fail(toAppError(error));
    }
  }
}
