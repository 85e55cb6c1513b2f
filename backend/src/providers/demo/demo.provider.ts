import { setTimeout as sleep } from 'node:timers/promises';
import { demoAnswer, type DemoQuestion } from './demo-answer.js';
import { demoCall, demoResults, type ToolCallEvent } from './demo-call.js';
import { passagesIn, withoutMaterial } from './demo-passages.js';
import { DEMO_PICTURE } from './demo-picture.js';
import type {
  ImageRequest,
  Provider,
  ProviderEvent,
  ProviderEventListener,
  ProviderImage,
  ProviderMessage,
  ProviderModel,
  ProviderRequest,
  RelayedJson,
  Transcription,
} from '../provider.js';
import { ProviderError } from '../provider-error.js';

/** Tokens per second, about the pace of a hosted model. */
const DEFAULT_PACE = 50;
/** Pause between two batches, ms. Shorter pauses cost CPU and look the same. */
const TICK_MS = 20;
/** Average length of a token, for the reported usage. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Built-in provider for installations without a model provider. Writes a canned answer and shows one picture without any
 * network access. Both state that they are a demo.
 */
export class DemoProvider implements Provider {
  readonly name = 'demo';
  private readonly pace: number;

  /** @param options.pace tokens per second; Infinity writes the answer at once */
  constructor(options: { pace?: number } = {}) {
    this.pace = options.pace ?? DEFAULT_PACE;
  }

  async stream(request: ProviderRequest, signal: AbortSignal, onEvents: ProviderEventListener): Promise<void> {
    signal.throwIfAborted();
    const question = questionOf(request.messages);
    const call = demoCall(request, question.text);
    const all = call === null ? tokensOf(demoAnswer(question)) : [];
    const tokens = all.slice(0, request.maxTokens ?? all.length);
    const began = performance.now();
    let sent = 0;
    while (sent < tokens.length) {
      const due = 1 + Math.floor(((performance.now() - began) / 1000) * this.pace);
      // Infinity times 0 ms is NaN.
      const next = Number.isNaN(due) ? tokens.length : Math.min(due, tokens.length);
      if (next > sent) {
        onEvents([{ type: 'text-delta', text: tokens.slice(sent, next).join('') }]);
        sent = next;
        signal.throwIfAborted();
      } else {
        await sleep(TICK_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
    onEvents([
      { type: 'usage', promptTokens: promptTokensOf(request.messages), completionTokens: tokens.length },
      ...(call === null ? [] : piecesOf(call)),
      { type: 'finish', reason: call !== null ? 'tool-calls' : tokens.length < all.length ? 'length' : 'stop' },
    ]);
  }

  async generateImage(_request: ImageRequest, signal: AbortSignal): Promise<ProviderImage> {
    signal.throwIfAborted();
    return { bytes: DEMO_PICTURE, type: 'image/png' };
  }

  /** The registry never chooses the demo for embeddings: invented vectors would be wrong without notice. */
  async embed(): Promise<RelayedJson> {
    throw new ProviderError('provider_refused', { reason: 'no_embeddings' });
  }

  /** Never chosen by the registry, as `embed`. */
  async transcribe(): Promise<Transcription> {
    throw new ProviderError('provider_refused', { reason: 'no_transcriptions' });
  }

  async listModels(): Promise<ProviderModel[]> {
    return [];
  }

  async close(): Promise<void> {}
}

/** A call as it arrives from an upstream: its piece, then the whole. */
function piecesOf(call: ToolCallEvent): ProviderEvent[] {
  const { id, name, args } = call;
  return [{ type: 'tool-call-delta', index: 0, start: { id, name }, json: JSON.stringify(args) }, call];
}

/** Characters of a question that the demo looks at. */
const READ_CHARACTERS = 200_000;

function questionOf(messages: ProviderMessage[]): DemoQuestion {
  const last = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const attachments = typeof last === 'string' ? 0 : last.filter(({ type }) => type !== 'text').length;
  const text = textOf(last).slice(0, READ_CHARACTERS);
  const found = demoResults(messages);
  const passages = [text, ...found.map(({ result }) => result)].flatMap(passagesIn);
  const results = found.filter(({ result }) => passagesIn(result).length === 0);
  return { text: withoutMaterial(text), attachments, results, passages };
}

function textOf(content: ProviderMessage['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim();
}

function promptTokensOf(messages: ProviderMessage[]): number {
  const characters = messages.reduce((sum, { content }) => sum + textOf(content).length, 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Splits a text between code points into pieces of about one token; joined they are the text again. */
function tokensOf(text: string): string[] {
  return text.match(/\s+\S{0,6}|\S{1,6}/gu) ?? [];
}
