import {
  API_LIMITS,
  type ChatCompletionMessage,
  type CompactedResponse,
  type DeletedResponse,
  type ResponseObject,
  type ResponseState,
} from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import { SendRateLimiter } from '../../chat/generation/admission/send-rate-limiter.js';
import { DetachedGenerations } from '../../chat/generation/detached/detached-generations.js';
import { GenerationStopper } from '../../chat/generation/generation-stopper.js';
import type { Identity } from '../../identity/identity.js';
import { AppError, invalidField } from '../../platform/errors/app-error.js';
import { haveContent, placed } from '../answers/provider-messages.js';
import { AnswersService, type StartedAnswer } from '../answers/answers.service.js';
import { haveReferences, withoutReferences } from './item-references.js';
import { asksForCompaction, compacted, SUMMARY_REQUEST, toCompacted } from './compaction.js';
import { withResultsAtCalls } from './response-calls.js';
import { requireResults, fromResponseInput } from './response-input.js';
import { ResponseEvents } from './response-events.js';
import { ResponseExpiry } from './response-expiry.js';
import type { ResponseEventSource } from './event-buffer.js';
import { ResponseStreams } from './response-streams.js';
import type { CompactRequestDto, ResponseRequestDto } from './response-request.dto.js';
import { settingsOf, fromResponseRequest, toSummaryRequest } from './response-request.js';
import { type ResponseOutline, ResponseStore, type ResponseTexts, type StoredResponse } from './response-store.js';
import { ToolNames } from './response-tools.js';
import {
  endedWith,
  failedWith,
  isFailure,
  itemsOf,
  type ResponseHead,
  responseId,
  RUNNING,
  toAnswerMessages,
  toResponse,
  uuidOf,
} from './response-view.js';

/**
 * Earlier conversations that a node reads at once. Each takes up to 30 MB, 8,000,000 characters as rows and as messages;
 * the others wait.
 */
const CONCURRENT_READS = 2;

/** The events of a response from a number on. */
export interface OpenedStream {
  head: ResponseHead;
  source: ResponseEventSource;
  from: number;
}

/** An admitted request for a response. */
export interface StartedResponse {
  head: ResponseHead;
  completion: StartedAnswer;
}

/** An admitted request for the summary of a conversation. */
export interface StartedCompaction extends Pick<Conversation, 'messages'> {
  completion: StartedAnswer;
}

/** A conversation that a request begins or continues. */
interface Conversation {
  input: ChatCompletionMessage[];
  /** Those of earlier responses too. */
  messages: ChatCompletionMessage[];
  previousId: string | null;
  /** Whether it counted as a send already. */
  isCounted: boolean;
}

/** The Responses API: chat completions whose input and output are stored, so that the next one can continue them. */
@Injectable()
export class ResponsesService {
  private readonly reads = pLimit(CONCURRENT_READS);

  constructor(
    private readonly completions: AnswersService,
    private readonly generations: DetachedGenerations,
    private readonly stopper: GenerationStopper,
    private readonly sendRates: SendRateLimiter,
    private readonly store: ResponseStore,
    private readonly streams: ResponseStreams,
    private readonly expiry: ResponseExpiry,
  ) {}

  /**
   * A request that continues stored responses counts as a send before they are read, also when it is refused then.
   * @throws AppError as `AnswersService.startAnswer`; `not_found` for an unknown previous response
   */
  async startResponse(
    identity: Identity,
    request: ResponseRequestDto,
    key: string | undefined,
  ): Promise<StartedResponse> {
    const { input, messages, previousId, isCounted } = await this.conversationOf(identity, request);
    const isStored = request.store ?? true;
    const isCompaction = typeof request.input !== 'string' && asksForCompaction(request.input.at(-1));
    const chat = isCompaction
      ? fromResponseRequest(toSummaryRequest(request), [...messages, SUMMARY_REQUEST])
      : fromResponseRequest(request, messages);
    const completion = await this.completions.startAnswer(identity, chat, key, {
      variant: ['responses', isStored, previousId, ...(isCompaction ? ['compaction'] : [])],
      isCounted,
      hidesReasoning: true,
      isStored,
    });
    const settings = { ...settingsOf(request, completion.model), ...(isCompaction && { isCompaction }) };
    const head = { id: completion.generationId, settings, created: Math.floor(Date.now() / 1000) };
    if (!isStored) return { head, completion };
    if (!completion.isOwn) {
      const stored = await this.store.find(identity.userId!, head.id);
      return { head: { ...head, created: stored?.created ?? head.created }, completion };
    }
    try {
      await this.store.insert(identity.userId!, { ...head, input }, previousId);
    } catch (error) {
      void this.generations.abandon(identity.owner, head.id);
      throw error;
    }
    await this.expiry.afterInsert(identity.userId!);
    return { head, completion };
  }

  /**
   * Asks a model for a summary of a conversation, for a client that goes on with it and the messages of the user alone.
   * @throws AppError as `startResponse`
   */
  async startCompaction(
    identity: Identity,
    request: CompactRequestDto & Pick<ResponseRequestDto, 'input'>,
    key: string | undefined,
  ): Promise<StartedCompaction> {
    const { messages, previousId, isCounted } = await this.conversationOf(identity, request);
    const chat = fromResponseRequest(request, [...messages, SUMMARY_REQUEST]);
    const completion = await this.completions.startAnswer(identity, chat, key, {
      variant: ['compact', previousId],
      isCounted,
      hidesReasoning: true,
    });
    return { messages, completion };
  }

  /** Waits for the summary. @throws AppError the generation's error */
  async completeCompaction(
    { owner }: Identity,
    { messages, completion: { generationId, model } }: StartedCompaction,
  ): Promise<CompactedResponse & { model: string }> {
    const answer = await this.generations.storedAnswer(owner, generationId);
    const compact = toCompacted(responseId(generationId), messages, answer, endedWith(answer, []).usage!);
    return { ...compact, model: answer.model ?? model };
  }

  /** Estimates the tokens of a request and of the conversation before it. @throws AppError as `startResponse` */
  async countTokens(identity: Identity, request: ResponseRequestDto): Promise<number> {
    const { messages, isCounted } = await this.conversationOf(identity, request);
    return this.completions.countTokens(identity, fromResponseRequest(request, messages), isCounted);
  }

  /** Waits for the whole answer. @throws AppError the generation's error */
  async complete(identity: Identity, { head, completion }: StartedResponse): Promise<ResponseObject> {
    const isRecorded = head.settings.store && completion.isOwn;
    try {
      const answer = await this.generations.storedAnswer(identity.owner, head.id);
      const state = endedWith(answer, itemsOf(head, answer));
      if (isRecorded) await this.store.finish(head.id, state);
      return toResponse(head, state);
    } catch (error) {
      if (isRecorded && isFailure(error)) await this.store.finish(head.id, failedWith(error)).catch(() => undefined);
      throw error;
    }
  }

  /** The events of a request that was admitted. A repeated request reads those of the first one. */
  async stream(identity: Identity, { head, completion }: StartedResponse): Promise<ResponseEventSource> {
    const { owner } = identity;
    const isStored = head.settings.store;
    const { tools, isCompaction = false } = head.settings;
    const events = new ResponseEvents(head.id, new ToolNames(tools), isCompaction);
    if (completion.isOwn) {
      const onEnd = async (state: ResponseState) => {
        if (isStored) await this.store.finish(head.id, state);
      };
      return this.streams.start({ owner, generation: completion, events, isStored, onEnd });
    }
    const found = await this.streams.find(head.id, () => this.stateNow(identity, head));
    return found ?? this.streams.replay({ owner, generation: completion, events });
  }

  /** @throws AppError `not_found` */
  async get(identity: Identity, id: string): Promise<ResponseObject> {
    const stored = await this.require(identity, id);
    return toResponse(stored, await this.settled(identity, stored));
  }

  /**
   * The events of a stored response after a number.
   * @throws AppError `not_found`, `stream_expired` when its log is gone, `invalid` for a number beyond its end
   */
  async resume(identity: Identity, id: string, startingAfter: number): Promise<OpenedStream> {
    const head = await this.require(identity, id);
    const source = await this.streams.find(head.id, () => this.stateNow(identity, head));
    if (source === null) throw new AppError('stream_expired');
    const from = startingAfter + 1;
    if (!(await source.reaches(from)))
      throw invalidField('starting_after', 'starting_after is beyond the last event of this response');
    return { head, source, from };
  }

  /** Deletes a response; one that runs is stopped. @throws AppError `not_found` */
  async delete(identity: Identity, id: string): Promise<DeletedResponse> {
    const { id: uuid, state } = await this.require(identity, id);
    if (state === null) await this.stopper.stop(identity.owner, uuid);
    if (!(await this.store.delete(identity.userId!, uuid))) throw unknownResponse();
    return { id: responseId(uuid), object: 'response', deleted: true };
  }

  /** The messages of a request, with those of the responses that it continues. @throws AppError as `startResponse` */
  private async conversationOf(
    identity: Identity,
    request: Pick<ResponseRequestDto, 'input' | 'instructions' | 'previous_response_id'>,
  ): Promise<Conversation> {
    const previousId = previousOf(request);
    const isCounted = previousId !== null || haveReferences(request.input);
    if (isCounted) await this.sendRates.count(identity);
    const find = (uuids: string[]) => this.reads(() => this.statesOf(identity, uuids));
    const input = await fromResponseInput(await withoutReferences(request.input, find));
    const earlier = previousId === null ? [] : await this.reads(() => this.conversation(identity, previousId));
    const messages = withResultsAtCalls([
      ...earlier.map((message) => placed(message, 'previous_response_id')),
      ...input,
    ]);
    if (messages.length === 0 || messages.length > API_LIMITS.messages)
      throw invalidField('input', `A conversation must have 1 to ${API_LIMITS.messages} messages`);
    if (!request.instructions && !haveContent(messages))
      throw invalidField('input', 'input must contain text. Please add a message.');
    requireResults(messages);
    return { input, messages, previousId, isCounted };
  }

  /** The ends of the caller's own responses. @throws AppError `invalid` when they are too long together */
  private async statesOf(identity: Identity, uuids: string[]): Promise<Map<string, ResponseState>> {
    const outlines = await this.store.outlinesOf(identity.userId!, uuids);
    if (charactersIn(outlines) > API_LIMITS.previousCharacters) throw tooLong('input');
    const states = new Map<string, ResponseState>();
    for await (const texts of this.store.texts(identity.userId!, outlines))
      states.set(texts.id, await this.stateOf(identity, texts));
    return states;
  }

  private async require(identity: Identity, id: string): Promise<StoredResponse> {
    const uuid = uuidOf(id);
    const stored = uuid === null ? null : await this.store.find(identity.userId!, uuid);
    if (stored === null) throw unknownResponse();
    return stored;
  }

  /** How an earlier response ended. Only one without a stored end needs its settings, to name its calls. */
  private async stateOf(identity: Identity, { id, state }: ResponseTexts): Promise<ResponseState> {
    return state ?? this.settled(identity, await this.require(identity, responseId(id)));
  }

  /** How a response ended; one without a stored end is read from its generation. */
  private async settled(identity: Identity, stored: StoredResponse): Promise<ResponseState> {
    if (stored.state !== null) return stored.state;
    const found = await this.endOf(identity, stored);
    if (found.status !== 'in_progress') await this.store.finish(stored.id, found);
    return found;
  }

  private async endOf(identity: Identity, head: ResponseHead): Promise<ResponseState> {
    try {
      const answer = await this.generations.storedAnswerNow(identity.owner, head.id);
      return answer === null ? RUNNING : endedWith(answer, itemsOf(head, answer));
    } catch (error) {
      if (isFailure(error)) return failedWith(error);
      throw error;
    }
  }

  private async stateNow(identity: Identity, head: ResponseHead): Promise<ResponseState> {
    const stored = await this.store.find(identity.userId!, head.id);
    return stored === null ? this.endOf(identity, head) : this.settled(identity, stored);
  }

  /** The messages of a response and of those before it. @throws AppError `not_found`, `invalid` */
  private async conversation(identity: Identity, uuid: string): Promise<ChatCompletionMessage[]> {
    const param = 'previous_response_id';
    const outlines = await this.store.chain(identity.userId!, uuid);
    if (outlines.length > API_LIMITS.previousResponses || charactersIn(outlines) > API_LIMITS.previousCharacters)
      throw tooLong(param);
    if (outlines[0]?.previousId !== null) throw unknownResponse(param);
    const messages: ChatCompletionMessage[] = [];
    for await (const texts of this.store.texts(identity.userId!, outlines)) {
      const state = await this.stateOf(identity, texts);
      if (state.status === 'in_progress') throw invalidField(param, 'This response is still being written');
      messages.push(...texts.input, ...toAnswerMessages(state));
      const summary = state.output.find((item) => item.type === 'compaction');
      if (summary !== undefined) messages.splice(0, messages.length, ...compacted(messages, summary));
    }
    return messages;
  }
}

const charactersIn = (outlines: readonly ResponseOutline[]): number =>
  outlines.reduce((sum, { characters }) => sum + characters, 0);

const tooLong = (field: string): AppError =>
  invalidField(field, 'The conversation is too long. Please start a new one.');

/** The UUID of the previous response; null without one. @throws AppError `not_found` for a text that is not an id */
function previousOf({ previous_response_id: id }: Pick<ResponseRequestDto, 'previous_response_id'>): string | null {
  if (id === undefined) return null;
  const uuid = uuidOf(id);
  if (uuid === null) throw unknownResponse('previous_response_id');
  return uuid;
}

const unknownResponse = (field?: string): AppError =>
  new AppError('not_found', {
    reason: 'response',
    details: field === undefined ? undefined : [{ field, message: 'not found' }],
  });
