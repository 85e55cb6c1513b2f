import { isFields } from '../../../platform/json/fields.js';
import type { ProviderEvent } from '../../provider.js';
import { answerBrokeOff, ProviderError } from '../../provider-error.js';
import { ReasoningDetails } from './reasoning-details.js';
import { copyOf, endFrom, TextSoFar } from './text-so-far.js';
import { ToolCallDeltas } from './tool-call-deltas.js';
import { announcesCalls, type Finish, finishOf, nativeFinishOf, weightier } from '../dialect/finish-reason.js';
import {
  isReasoning,
  type ReasoningFields,
  reasoningIn,
  reasoningInDetails,
  reasoningOf,
  type ReasoningPart,
} from '../dialect/reasoning-fields.js';
import { says } from '../dialect/error-shape.js';
import { UrlCitations } from './url-citations.js';

const PICTURE_ALONE = {
  adminMessage: 'The model answered with a picture alone. Such a model belongs to the kind “image”.',
};

/** Characters that tell whether a text continues another one. All of the text would take as much memory again in each stream. */
const SAID_END = 50;
/** They are cut off once there are this many. */
const MOST_SAID = 4 * SAID_END;

type DeltaType = 'text-delta' | 'reasoning-delta';

export interface ChoiceOptions {
  /** Whether likelihoods were asked for. */
  readsLogprobs?: boolean;
  /** Names of the functions that the model may call. */
  toolNames?: readonly string[];
  /** The stop sequences of the request. */
  stops?: readonly string[];
}

/** Fields of a choice that are read. Each may have any type: the upstream is not trusted. */
export interface Choice {
  index?: unknown;
  delta?: Delta | string | null;
  message?: Delta | null;
  /** In place of a delta, as of text completions. */
  text?: unknown;
  finish_reason?: unknown;
  /** As of Gemini. */
  finishReason?: unknown;
  native_finish_reason?: unknown;
  /** The stop sequence at which vLLM ended, and SGLang. */
  stop_reason?: unknown;
  matched_stop?: unknown;
  usage?: unknown;
  logprobs?: unknown;
}

interface Delta extends ReasoningFields {
  /** In place of that of the choice. */
  finish_reason?: unknown;
  role?: unknown;
  /** Of the result of a tool that the server has run. */
  tool_call_id?: unknown;
  content?: unknown;
  refusal?: unknown;
  reasoning_details?: unknown;
  /** As of LiteLLM, beside their text. */
  thinking_blocks?: unknown;
  images?: unknown;
  image?: unknown;
  image_url?: unknown;
  audio?: unknown;
  tool_calls?: unknown;
  /** As of gateways that send one call. */
  tool_call?: unknown;
  /** The one call of older servers. */
  function_call?: unknown;
}

/** A part of a list in place of a text. */
interface Part extends ReasoningPart {
  text?: unknown;
  content?: unknown;
  refusal?: unknown;
}

/** Whether a part is a picture: OpenAI's, that of Anthropic, or that of Gemini, as gateways pass them on. */
const isPicture = (part: object): boolean =>
  ['image_url', 'image', 'inline_data', 'inlineData'].some((name) => name in part) || /image/.test(typeOf(part));

/** Whether a part may have its text as `content`. The results of a server's own tools have theirs there. */
const isText = (part: object): boolean => /^((output_)?text|reasoning|thinking)?$/.test(typeOf(part));

const typeOf = (part: object): string => ('type' in part && typeof part.type === 'string' ? part.type : '');

/** Reads one of the answers to a request from its choices in the chunks: deltas, or messages in their place. */
export class ChoiceDecoder {
  /** Number of deltas with text, reasoning or a piece of a call. */
  deltas = 0;
  /** Number of those with pieces of calls. */
  callDeltas = 0;

  private batch: ProviderEvent[] = [];
  /** High surrogate at the end of a delta, held until the low surrogate arrives. */
  private half: { type: DeltaType; text: string } | null = null;
  private readonly growing = { 'text-delta': new TextSoFar(), 'reasoning-delta': new TextSoFar() };
  private readonly calls: ToolCallDeltas;
  private readonly details = new ReasoningDetails();
  private readonly citations = new UrlCitations();
  private hasReasoningContent = false;
  private hasReasoning = false;
  private hasText = false;
  private announcesCalls = false;
  /** Whether the answer has pictures, which no chat shows. */
  private hasPictures = false;
  private finishReason: Finish | null = null;
  private stopSequence: string | undefined;
  /** Length and last characters of the text of deltas, with which a message at the end begins. */
  private saidLength = 0;
  private saidEnd = '';
  /** Whether the answer has parts that are neither text nor reasoning. */
  private hasOthers = false;
  /** The text of messages, which some servers send in place of deltas: in pieces or whole so far. */
  private messageText: string | null = null;

  private readonly readsLogprobs: boolean;
  private readonly stops: readonly unknown[];

  constructor({ readsLogprobs = false, toolNames = [], stops = [] }: ChoiceOptions) {
    this.readsLogprobs = readsLogprobs;
    this.stops = stops;
    this.calls = new ToolCallDeltas(toolNames);
  }

  /** True after a finish reason. */
  get isFinished(): boolean {
    return this.finishReason !== null;
  }

  read(choice: Choice): void {
    if (choice.delta) this.readDelta(typeof choice.delta === 'string' ? { content: choice.delta } : choice.delta);
    const reason = choice.finish_reason ?? choice.finishReason ?? reasonIn(choice.delta);
    if (choice.message) this.readMessage(choice.message, Boolean(reason));
    if (!choice.delta && !choice.message && (choice.text || choice.text === 0))
      this.readDelta({ content: choice.text });
    this.cite(choice);
    if (this.readsLogprobs) this.readLogprobs(choice.logprobs);
    // Usage may follow, so a failure waits for the end.
    for (const finish of [finishOf(reason), nativeFinishOf(choice.native_finish_reason)])
      this.finishReason = weightier(this.finishReason, finish);
    this.announcesCalls ||= announcesCalls(reason);
    if (reason && this.stops.length > 0)
      this.stopSequence ??= [choice.stop_reason, choice.matched_stop].find((stop): stop is string =>
        this.stops.includes(stop),
      );
  }

  /** Adds the pages in the fields of a delta, of its choice, or beside the choices. */
  cite(place: object): void {
    const sources = this.citations.push(place);
    if (sources.length > 0) this.batch.push(...sources);
  }

  /** Adds an event behind those of the choice. */
  add(event: ProviderEvent): void {
    this.batch.push(event);
  }

  /** The events since the last time. The pieces of calls in one read are joined, as text is. */
  take(): ProviderEvent[] {
    const batch = [...this.batch, ...this.calls.takeDeltas()];
    this.batch = [];
    // The text is kept until the end of the answer. It would keep all that was read with it, ten times as much.
    for (const event of batch)
      if (event.type === 'text-delta' || event.type === 'reasoning-delta') event.text = copyOf(event.text);
    return batch;
  }

  /**
   * Ends the text. @returns why this choice did not end regularly; null if it did
   * @param failure of the whole answer
   * @param done whether the server has ended the answer
   */
  end(failure: ProviderError | null, done: boolean): ProviderError | null {
    this.releaseAll();
    if (this.half) this.pass(this.half.type, '');
    if (this.finishReason === 'filter') return new ProviderError('provider_refused', { isFiltered: true });
    if (failure !== null) return failure;
    if (this.finishReason === 'failed') return new ProviderError('provider_error');
    if (this.hasPictures && this.deltas === 0) return new ProviderError('provider_error', PICTURE_ALONE);
    if (this.hasOthers && this.deltas === 0) return new ProviderError('provider_error');
    if (this.lacksCalls && !this.hasText) return new ProviderError('provider_error');
    if (this.finishReason !== null || (done && this.mayBeWhole)) return null;
    return this.deltas > 0 ? answerBrokeOff() : new ProviderError('provider_error');
  }

  /** Notes that all tokens are used up. vLLM says of a call that is cut there only that there is one. */
  reachLimit(): void {
    if (this.calls.areCut) this.finishReason = weightier(this.finishReason, 'length');
  }

  /** Whether nothing came of the calls with which the answer says that it ends. */
  get lacksCalls(): boolean {
    return this.announcesCalls && this.finishReason === 'stop' && this.calls.count === 0;
  }

  /** Whether [DONE] alone may end the answer, as of servers without a finish reason. */
  private get mayBeWhole(): boolean {
    return this.calls.areWhole && (this.deltas > this.callDeltas || this.calls.count > 0);
  }

  /**
   * Adds the events of the end. The calls of an answer that was cut at its length are incomplete.
   * @param failure of this choice, while another one ended regularly
   */
  finish(failure: ProviderError | null): void {
    if (failure !== null) {
      this.batch.push({ type: 'finish', reason: failure.isFiltered ? 'content_filter' : 'failed' });
      return;
    }
    const isCut = this.finishReason === 'length';
    if (!isCut) this.calls.finish();
    const calls = isCut ? [] : this.calls.events();
    const details = this.details.all();
    if (details.length > 0) this.batch.push({ type: 'reasoning-details', details });
    if (this.hasPictures) this.batch.push({ type: 'pictures-left-out' });
    this.batch.push(...this.calls.takeDeltas());
    const { withdrawn } = this.calls;
    if (withdrawn.length > 0) this.batch.push({ type: 'tool-calls-withdrawn', indexes: withdrawn });
    const reason = calls.length > 0 ? 'tool-calls' : isCut ? 'length' : 'stop';
    const stopSequence = reason === 'stop' ? this.stopSequence : undefined;
    this.batch.push(...calls, {
      type: 'finish',
      reason,
      ...(stopSequence !== undefined && { stopSequence }),
    });
  }

  private readLogprobs(logprobs: unknown): void {
    if (typeof logprobs !== 'object' || logprobs === null) return;
    const { content, refusal } = logprobs as { content?: unknown; refusal?: unknown };
    const [ofContent, ofRefusal] = [content, refusal].map((list) => (Array.isArray(list) ? (list as unknown[]) : []));
    if (ofContent!.length + ofRefusal!.length > 0)
      this.batch.push({ type: 'logprobs', content: ofContent!, refusal: ofRefusal! });
  }

  /**
   * A message repeats what came in deltas, and at the end may add to it. Without deltas it is the answer: the whole, the text so
   * far or a piece.
   */
  private readMessage(message: Delta, isLast: boolean): void {
    if (isOfTool(message)) return this.calls.leaveOut(message.tool_call_id);
    const content = textOf(message.content);
    if (this.deltas > 0 && this.messageText === null) {
      if (this.callDeltas === 0 && this.calls.push(callsOf(message))) this.countCall();
      if (!isLast || typeof content !== 'string') return;
      this.releaseAll();
      if (this.continuesText(content)) this.readDelta({ content: content.slice(this.saidLength) });
      return;
    }
    const before = this.messageText ?? '';
    const isText = typeof content === 'string';
    const text = isText && before !== '' && content.startsWith(before) ? endFrom(content, before.length) : content;
    if (isText && content !== '') this.messageText = before + (text as string);
    this.readDelta({ ...message, content: text });
  }

  private continuesText(text: string): boolean {
    const end = this.saidEnd.slice(-SAID_END);
    return text.slice(this.saidLength - end.length, this.saidLength) === end;
  }

  private readDelta(delta: Delta): void {
    if (isOfTool(delta)) return this.calls.leaveOut(delta.tool_call_id);
    if (!this.hasReasoningContent && typeof delta.reasoning_content === 'string') {
      this.hasReasoningContent = true;
      this.batch.push({ type: 'reasoning-content' });
    }
    const own = reasoningOf(delta);
    this.hasReasoning ||= own !== '';
    const { reasoning_details: details, thinking_blocks: blocks } = delta;
    const reasoning = this.hasReasoning ? own : reasoningInDetails(details) || reasoningInDetails(blocks);
    if (reasoning) this.append('reasoning-delta', reasoning);
    const text = textOf(delta.content) || delta.refusal;
    if (typeof text === 'string' && text) this.append(isReasoning(delta) ? 'reasoning-delta' : 'text-delta', text);
    else if (typeof text === 'object') this.readParts(text, 'text-delta');
    if ([delta.images, delta.image, delta.image_url].some(says)) this.hasPictures = true;
    this.hasOthers ||= says(delta.audio);
    this.details.push(details);
    if (blocks !== undefined) this.details.push(blocks);
    if (this.calls.push(callsOf(delta))) this.countCall();
    this.cite(delta);
  }

  /** Mistral and Databricks send text and reasoning as lists of parts, others one part. */
  private readParts(parts: unknown, type: DeltaType): void {
    for (const part of (Array.isArray(parts) ? parts : [parts]) as unknown[]) {
      if (typeof part === 'string' && part !== '') this.append(type, part);
      if (typeof part !== 'object' || part === null) continue;
      const { text, content, refusal, ...reasoning } = part as Part;
      if (isPicture(part)) this.hasPictures = true;
      this.hasOthers ||= /audio|video|file/.test(typeOf(part));
      if (typeOf(part) === 'tool_use' && this.calls.push([part])) this.countCall();
      const own = isReasoning(reasoning) ? 'reasoning-delta' : type;
      // The text of an assistant of OpenAI stands in an object.
      const words = (isFields(text) ? text['value'] : text) || (isText(part) && content) || refusal;
      if (typeof words === 'string' && words) this.append(own, words);
      else if (type === 'text-delta') this.readParts(reasoningIn(reasoning), 'reasoning-delta');
    }
  }

  private countCall(): void {
    this.releaseAll();
    this.deltas += 1;
    this.callDeltas += 1;
  }

  append(type: DeltaType, delta: string): void {
    this.deltas += 1;
    this.hasText ||= type === 'text-delta';
    const added = this.growing[type].newIn(delta);
    if (added === '') return;
    this.release(type === 'text-delta' ? 'reasoning-delta' : 'text-delta');
    this.pass(type, added);
  }

  private releaseAll(): void {
    this.release('reasoning-delta');
    this.release('text-delta');
  }

  /** Passes on what may have been the text so far, before something else follows it. */
  private release(type: DeltaType): void {
    const growing = this.growing[type];
    if (growing.isHolding) this.pass(type, growing.release());
  }

  /** Adds a piece. Removes NUL, which Postgres refuses, and joins or replaces lone surrogates. */
  private pass(type: DeltaType, delta: string): void {
    if (type === 'text-delta') {
      this.saidLength += delta.length;
      this.saidEnd += delta;
      if (this.saidEnd.length > MOST_SAID) this.saidEnd = this.saidEnd.slice(-SAID_END);
    }
    let text = delta.includes('\0') ? delta.replaceAll('\0', '') : delta;
    if (this.half) {
      if (this.half.type === type) text = this.half.text + text;
      this.half = null;
    }
    const lastUnit = text.charCodeAt(text.length - 1);
    if (delta !== '' && lastUnit >= 0xd800 && lastUnit <= 0xdbff) {
      this.half = { type, text: text.slice(-1) };
      text = text.slice(0, -1);
    }
    if (text === '') return;
    const last = this.batch.at(-1);
    // Adjacent deltas of one type become one event.
    if (last?.type === type) last.text += text.toWellFormed();
    else this.batch.push({ type, text: text.toWellFormed() });
  }
}

/** Whether a delta is the result of a tool that a gateway has called itself: it is none of the answer. */
export const isOfTool = ({ role }: Delta): boolean => role === 'tool' || role === 'function';

const reasonIn = (delta: Choice['delta']): unknown => (isFields(delta) ? delta['finish_reason'] : undefined);

/** Some gateways send a token of digits as a number. */
const textOf = (content: unknown): unknown => (typeof content === 'number' ? String(content) : content);

/** The calls of a delta or message. Older servers have one, without an id. */
function callsOf({ tool_calls, tool_call, function_call }: Delta): unknown {
  const isOld = function_call && (!tool_calls || (Array.isArray(tool_calls) && tool_calls.length === 0));
  return isOld ? [{ index: 0, function: function_call }] : (tool_calls ?? tool_call);
}
