import type {
  ChatCompletion,
  ChatCompletionChunk,
  CompletionFinishReason,
  CompletionLogprobs,
  CompletionReasoning,
  CompletionUsage,
  FunctionCallDelta,
} from '@tanya/contract';
import type { AnswerPiece } from '../../chat/generation/detached/detached-answer.js';
import type {
  ClientReasoning,
  FinishReason,
  Logprobs,
  StoredAnswer,
  WrittenAnswer,
  WrittenChoice,
} from '../../chat/generation/detached/written-answer.js';
import type { AppError } from '../../platform/errors/app-error.js';
import { toPublicApiError } from '../public-api-error.js';
import type { AnswerEncoder } from '../answers/answer-sender.js';

interface CompletionHead {
  /** UUID of the generation. */
  generationId: string;
  model: string;
  /** Epoch seconds. */
  created: number;
  /** See `longNames`. */
  names: ReadonlyMap<string, string>;
}

type Delta = ChatCompletionChunk['choices'][number]['delta'];

const toEvent = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

const FIRST_DELTA: Delta = { role: 'assistant', content: '' };

/** A name within quotes occurs in no text of JSON, where quotes are escaped. */
const CONTENT = '"content":';

/** An answer as the chunks of a completion. */
export class CompletionEncoder implements AnswerEncoder {
  /** Each chunk names the model. */
  readonly startsUnnamed = true;
  private head: CompletionHead;
  /** The event of a text before and after its content: only the content differs between the events of an answer. */
  private envelope: [before: string, after: string];
  /** Further answers whose first delta has been sent. */
  private readonly startedChoices = new Set<number>();

  constructor(
    asked: Omit<CompletionHead, 'created'>,
    private readonly includesUsage: boolean,
  ) {
    this.head = { ...asked, created: Math.floor(Date.now() / 1000) };
    this.envelope = envelopeOf(this.head);
  }

  whole(answer: StoredAnswer): ChatCompletion {
    return toCompletion(this.head, answer);
  }

  nameModel(model: string): void {
    this.head = { ...this.head, model };
    this.envelope = envelopeOf(this.head);
  }

  startEvents(): string {
    return this.event(FIRST_DELTA);
  }

  keepAliveEvents(hasJustStarted: boolean): string {
    return hasJustStarted ? '' : this.event({});
  }

  pieceEvents(piece: AnswerPiece): string {
    const { choice: index } = piece;
    if (piece.type === 'text' && index === 0) return this.envelope[0] + JSON.stringify(piece.text) + this.envelope[1];
    const start = index === 0 || this.startedChoices.has(index) ? '' : this.event(FIRST_DELTA, { index });
    this.startedChoices.add(index);
    if (piece.type === 'logprobs') return start + this.event({}, { index, logprobs: toLogprobs(piece) });
    return (
      start +
      deltasOf(piece, this.head.names)
        .map((delta) => this.event(delta, { index }))
        .join('')
    );
  }

  endEvents(answer: WrittenAnswer): string {
    const last = endedChoices(answer)
      .map(({ choice: index, finishReason }) => this.event({}, { index, finish: toFinishReason(finishReason) }))
      .join('');
    const usage = this.includesUsage ? toEvent(toUsageChunk(this.head, answer)) : '';
    return `${last}${usage}data: [DONE]\n\n`;
  }

  errorEvent(error: AppError): string {
    return toEvent(toPublicApiError(error));
  }

  private event(delta: Delta, choice?: ChunkChoice): string {
    return toEvent(toChunk(this.head, delta, choice));
  }
}

function envelopeOf(head: CompletionHead): [before: string, after: string] {
  const empty = toEvent(toChunk(head, { content: '' }));
  const at = empty.indexOf(CONTENT) + CONTENT.length;
  return [empty.slice(0, at), empty.slice(at + '""'.length)];
}

function deltasOf(piece: Exclude<AnswerPiece, { type: 'logprobs' }>, names: CompletionHead['names']): Delta[] {
  if (piece.type === 'text') return [{ content: piece.text }];
  if (piece.type === 'reasoning') return [toReasoning(piece)];
  return piece.type === 'client-call' ? callDeltasOf(piece, names) : [{ reasoning_details: piece.details }];
}

/** A call begins with its id and name, and what its provider adds, as clients expect it. */
function callDeltasOf(piece: Extract<AnswerPiece, { type: 'client-call' }>, names: CompletionHead['names']): Delta[] {
  const { index, start, json, extraContent } = piece;
  const head: FunctionCallDelta[] = [];
  if (start !== undefined || extraContent !== undefined)
    head.push({
      index,
      ...(start && { id: start.id, type: 'function' }),
      function: { ...(start && { name: names.get(start.name) ?? start.name }), arguments: '' },
      ...(extraContent && { extra_content: extraContent }),
    });
  const rest: FunctionCallDelta[] = json === '' ? [] : [{ index, function: { arguments: json } }];
  return [...head, ...rest].map((call) => ({ tool_calls: [call] }));
}

const completionId = (generationId: string): string => `chatcmpl-${generationId.replaceAll('-', '')}`;

function toUsage(answer: WrittenAnswer): CompletionUsage {
  const [prompt, completion] = [answer.promptTokens ?? 0, answer.completionTokens ?? 0];
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: answer.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: answer.reasoningTokens ?? 0 },
  };
}

const toFinishReason = (reason: FinishReason): CompletionFinishReason =>
  reason === 'tool-calls' ? 'tool_calls' : reason;

/** Reasoning under the name that the provider gave it. */
const toReasoning = ({ name, text }: Omit<ClientReasoning, 'details'>): CompletionReasoning =>
  name === 'reasoning' ? { reasoning: text } : { reasoning_content: text };

type CompletionMessage = ChatCompletion['choices'][number]['message'];

/** Likelihoods as OpenAI has them: null without any of a kind. */
const toLogprobs = ({ content, refusal }: Logprobs): CompletionLogprobs => ({
  content: content.length > 0 ? content : null,
  refusal: refusal.length > 0 ? refusal : null,
});

type EndedChoice = WrittenChoice & { finishReason: FinishReason };

/** The answers to a request that ended regularly, or by a filter, with their numbers. */
function endedChoices(answer: WrittenAnswer): EndedChoice[] {
  return answer.choices.filter((choice): choice is EndedChoice => choice.finishReason !== null);
}

function toCompletionMessage(
  { text, calls, reasoning }: WrittenChoice,
  names: CompletionHead['names'],
): CompletionMessage {
  const thought = {
    ...(reasoning?.text && toReasoning(reasoning)),
    ...(reasoning?.details && { reasoning_details: reasoning.details }),
  };
  if (calls === undefined) return { role: 'assistant', content: text, ...thought };
  const toolCalls = calls.map(({ id, name, arguments: json, extraContent }) => ({
    id,
    type: 'function' as const,
    function: { name: names.get(name) ?? name, arguments: json },
    ...(extraContent && { extra_content: extraContent }),
  }));
  return { role: 'assistant', content: text || null, ...thought, tool_calls: toolCalls };
}

function toCompletion({ generationId, model, names }: CompletionHead, answer: StoredAnswer): ChatCompletion {
  return {
    id: completionId(generationId),
    object: 'chat.completion',
    created: answer.created,
    model: answer.model ?? model,
    choices: endedChoices(answer).map((choice) => ({
      index: choice.choice,
      message: toCompletionMessage(choice, names),
      ...(choice.logprobs !== undefined && { logprobs: toLogprobs(choice.logprobs) }),
      finish_reason: toFinishReason(choice.finishReason),
    })),
    usage: toUsage(answer),
  };
}

/** What a chunk says of one of the answers. */
interface ChunkChoice {
  index?: number;
  finish?: CompletionFinishReason | null;
  logprobs?: CompletionLogprobs;
}

/** @param choice its number, and its finish reason once it has ended */
function toChunk(
  { generationId, model, created }: CompletionHead,
  delta: Delta,
  { index = 0, finish = null, logprobs }: ChunkChoice = {},
): ChatCompletionChunk {
  return {
    id: completionId(generationId),
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index, delta, ...(logprobs !== undefined && { logprobs }), finish_reason: finish }],
  };
}

/** The last chunk when the request asks for usage. */
const toUsageChunk = (head: CompletionHead, answer: WrittenAnswer): ChatCompletionChunk => ({
  ...toChunk(head, {}),
  choices: [],
  usage: toUsage(answer),
});
