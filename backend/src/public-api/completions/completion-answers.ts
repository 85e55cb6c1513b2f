import type { ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DetachedGenerations } from '../../chat/generation/detached/detached-generations.js';
import { TIMINGS, type Timings } from '../../config/timings.js';
import type { Identity } from '../../identity/identity.js';
import { toAppError } from '../../platform/errors/error-body.js';
import { EventStream, SILENT_CALLS } from '../../platform/http/event-stream.js';
import { BackgroundWork } from '../../platform/resilience/background-work.js';
import { setQuotaHeaders } from '../quota-headers.js';
import { type AnswerEncoder, AnswerStream, setModelUsed } from './answer-stream.js';
import type { StartedCompletion } from './completions.service.js';

/**
 * Keeps streams open while a model is silent: proxies and clients cut connections without events, which would count as a stop.
 * One timer serves all streams.
 */
@Injectable()
export class KeepAlive {
  private readonly streams = new Set<EventStream>();

  constructor(@Inject(TIMINGS) { keepAlive }: Timings, background: BackgroundWork) {
    // An event in a silence also sends the headers, perhaps before the model is known, so it comes late: after 13 to 14 of the
    // 15 calls in `keepAlive`. The last one is left for a call that is late itself.
    background.repeat('keep-alive of streams', keepAlive / (SILENT_CALLS + 1), () => {
      for (const stream of this.streams) stream.keepAlive();
    });
  }

  /** The stream of a response, kept alive until the response is closed. */
  open(response: ServerResponse): EventStream {
    const stream = new EventStream(response);
    if (response.closed) return stream;
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
    return stream;
  }
}

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
