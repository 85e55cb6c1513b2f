import { trimEndOf } from '@tanya/contract';
import { fileTypeFromBuffer } from 'file-type';
import OpenAI from 'openai';
import type { LookupFunction } from 'node:net';
import type { Agent, buildConnector } from 'undici';
import { isFields } from '../../platform/json/fields.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import type {
  EmbeddingRequest,
  ImageRequest,
  Provider,
  ProviderEventListener,
  ProviderImage,
  ProviderModel,
  ProviderRequest,
  ProviderTimings,
  RelayedJson,
  Transcription,
  TranscriptionRequest,
} from '../provider.js';
import { keepWords, ProviderError, type ProviderErrorCode, UnusableVectors } from '../provider-error.js';
import { AdaptationMemory } from './adaptation-memory.js';
import { CallClock } from './call-clock.js';
import { completionBody, type CompletionBodyOptions } from './completion/completion-body.js';
import { decoderFor } from './completion/completion-decoder.js';
import type { Body } from './dialect/adaptation.js';
import { errorIn } from './dialect/error-shape.js';
import { isPage, readCompletion } from './read-completion.js';
import { separatingReasoning } from './dialect/reasoning-tags.js';
import { shownWords } from './dialect/shown-words.js';
import { readingCalls } from './dialect/written-calls.js';
import { RequestAdapter } from './request-adapter.js';
import { downloadImage, imageInUrl, MAX_IMAGE_BYTES } from './image-download.js';
import { pacedConnector } from '../../platform/fast-paths/paced-sockets.js';
import { readClock } from './read-clock.js';
import { MAX_MODELS, modelsOf, nextPageOf } from './model-list.js';
import { relayedJson } from './relayed-json.js';
import { relayedTranscription, transcriptionForm } from './relayed-transcription.js';
import { reportedUsage } from './reported-usage.js';
import { withRetries } from './retry.js';
import { detailOfFailure, failureOfAnswer } from './upstream-failure.js';
import {
  askUpstream,
  createUpstreamAgent,
  createUpstreamFetch,
  type UpstreamAnswer,
  UpstreamResponse,
} from './upstream-fetch.js';
import { jsonPieces } from '../../platform/json/json-writer.js';
import { inSlices } from '../../platform/system/slices.js';

interface JsonRequest {
  body: Buffer | ReadableStream;
  headers: Record<string, string>;
}

/**
 * Body and headers of a request with JSON. The SDK would write it in one piece, 0.1 s for 32 MB. Long JSON is written
 * twice: once for its length, which many servers require, and again while it is sent. Kept in between, it would take as
 * much memory as the value.
 */
async function jsonRequest(value: unknown): Promise<JsonRequest> {
  let [bytes, count, first] = [0, 0, ''];
  for await (const piece of inSlices(jsonPieces(value))) {
    bytes += Buffer.byteLength(piece);
    count += 1;
    first ||= piece;
  }
  const headers = { 'content-type': 'application/json', 'content-length': String(bytes) };
  const body = count === 1 ? Buffer.from(first) : ReadableStream.from(inSlices(jsonPieces(value)));
  return { body, headers };
}

/** Pages of a list of models, each of 20 at Anthropic. */
const MAX_LIST_PAGES = 50;

/** Bytes in which the signature of an image is sought: the head, as a chain of chunks costs time. */
const SIGNATURE_BYTES = 1024 * 1024;

/** Receives the outcome of each call of a provider: null for a success. Must not throw. */
type OutcomeListener = (failure: ProviderError | null) => void;

/** Failures of a request, over a connection that works. */
const REQUEST_FAILURES: readonly ProviderErrorCode[] = ['provider_context', 'provider_refused'];

export interface OpenAiCompatibleOptions {
  name: string;
  baseUrl: string;
  /**
   * True if an admin entered the base URL, or the server was found on this machine: its host and port may then have a
   * private or loopback address.
   */
  mayBePrivate: boolean;
  /** Null for servers that need no key, as most local ones. */
  apiKey: string | null;
  timings: ProviderTimings;
  bodyOptions?: CompletionBodyOptions;
  /** Resolves host names; the system's resolver by default. */
  lookup?: LookupFunction;
  /** How requests are changed for the server; forgotten with the provider by default. */
  memory?: AdaptationMemory;
  onOutcome?: OutcomeListener;
}

const ENCODING = 'encoding_format';

const firstTokenTimeout = (): Error => new ProviderError('timeout_first_token');

const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'] satisfies ProviderImage['type'][];

/** Provider for servers with OpenAI's chat completions API: OpenRouter, OpenAI, Ollama, LM Studio, vLLM. */
export class OpenAiCompatibleProvider implements Provider {
  readonly name: string;
  private readonly baseUrl: string;
  /** Streams: their sockets are read on the beat. */
  private readonly pacedAgent: Agent;
  /** Images, lists and checks: one read takes at most 64 kB, so a paced socket would be slow. */
  private readonly agent: Agent;
  private readonly client: OpenAI;
  private readonly connect: buildConnector.connector;
  private readonly memory: AdaptationMemory;
  /** Whether the server certainly reads all tokens of its models, so that no call is left in a text. */
  private readonly readsTokens: boolean;

  constructor(private readonly options: OpenAiCompatibleOptions) {
    const { name, baseUrl, mayBePrivate, timings, lookup } = options;
    this.name = name;
    this.baseUrl = trimEndOf(baseUrl, '/');
    this.readsTokens = /(?:^|\.)api\.openai\.com$/.test(new URL(baseUrl).hostname);
    const trustedOrigin = mayBePrivate ? new URL(baseUrl).origin : null;
    const guard = { timeout: timings.connect, trustedOrigin, lookup };
    this.connect = guardedConnector(guard);
    this.memory = options.memory ?? new AdaptationMemory();
    this.agent = createUpstreamAgent(this.connect);
    this.client = createClient(options, this.baseUrl, this.agent);
    const unbuffered = guardedConnector({ ...guard, highWaterMark: 1 });
    this.pacedAgent = createUpstreamAgent(pacedConnector(unbuffered, readClock));
  }

  async stream(request: ProviderRequest, signal: AbortSignal, onEvents: ProviderEventListener): Promise<void> {
    const body = { ...completionBody(request, this.options.bodyOptions) };
    const adapter = new RequestAdapter(body, request.model, this.memory, request.defaults);
    let isSilent = true;
    const listener: ProviderEventListener = (events) => {
      if (isSilent) adapter.remember();
      isSilent = false;
      onEvents(events);
    };
    const { tools = [], toolChoice } = request;
    const mayCall = tools.length > 0 && toolChoice !== 'none' && !this.readsTokens;
    const readOnce = async (): Promise<void> => {
      const calls = mayCall ? readingCalls(tools, listener) : null;
      const calling = calls?.listener ?? listener;
      const onText = request.separatesReasoning ? separatingReasoning(calling) : calling;
      try {
        await this.read(request, adapter, signal, onText);
      } catch (error) {
        // What was held of an answer that broke off is a part of it.
        if (error instanceof ProviderError && !signal.aborted) calls?.release();
        throw error;
      }
    };
    // Some servers refuse a request within a stream.
    const reading = adapter.untilAccepted(readOnce, () => isSilent);
    return this.observed(signal, reading, () => adapter.body);
  }

  generateImage(request: ImageRequest, signal: AbortSignal): Promise<ProviderImage> {
    return this.observed(signal, this.drawImage(request, signal), () => request);
  }

  private async drawImage(request: ImageRequest, signal: AbortSignal): Promise<ProviderImage> {
    const call = this.call(this.options.timings.image, signal, async (callSignal) => {
      const { model, prompt, options } = request;
      const body = { ...(options as object), model, prompt, n: 1 };
      const response = await this.client.images.generate(body, { signal: callSignal }).asResponse();
      const answer: unknown = await response.json();
      const { usage: reported, data, images: others } = isFields(answer) ? answer : {};
      const usage = reportedUsage(reported, model) ?? undefined;
      // SiliconFlow has them under another name.
      const images = ([data, others].find(Array.isArray) ?? []) as unknown[];
      for (const { b64_json: content, url } of images.filter(isFields)) {
        // Some gateways send a data URL under either name, and an empty text under the other.
        if (typeof content === 'string' && content !== '')
          return { bytes: imageInUrl(content) ?? Buffer.from(content, 'base64'), usage };
        if (typeof url === 'string' && url !== '')
          return {
            bytes: imageInUrl(url) ?? (await downloadImage(url, this.baseUrl, this.connect, callSignal)),
            usage,
          };
      }
      const error = errorIn(answer);
      throw error === null ? new ProviderError('provider_error') : failureOfAnswer(error);
    });
    const { bytes, usage } = await call;
    if (bytes.length > MAX_IMAGE_BYTES) throw new ProviderError('provider_error');
    const type = (await fileTypeFromBuffer(bytes.subarray(0, SIGNATURE_BYTES)))?.mime ?? '';
    if (!isImageType(type)) throw new ProviderError('provider_error');
    return { bytes, type, usage };
  }

  embed(request: EmbeddingRequest, signal: AbortSignal): Promise<RelayedJson> {
    const adapter = new RequestAdapter(request, request.model, this.memory);
    const call = this.call(this.options.timings.embeddings, signal, async (callSignal) => {
      const relayed = await adapter.untilAccepted(() => this.embedOnce(request, adapter, callSignal));
      adapter.remember();
      return relayed;
    });
    return this.observed(signal, call, () => request);
  }

  private async embedOnce(
    request: EmbeddingRequest,
    adapter: RequestAdapter,
    signal: AbortSignal,
  ): Promise<RelayedJson> {
    const json = await jsonRequest(adapter.body);
    const response = await this.client.post('/embeddings', { ...json, signal }).asResponse();
    if (!(response instanceof UpstreamResponse)) throw new ProviderError('provider_error');
    const encoding = request[ENCODING] === 'base64' ? 'base64' : 'float';
    try {
      return await relayedJson(await response.answer.content(), encoding, inputsOf(request['input']));
    } catch (error) {
      // OpenRouter has an empty list for a model without this encoding. Vectors are converted here. Those of an answer
      // that has some would be paid for twice.
      const lacksEncoding = error instanceof UnusableVectors && error.areNone && encoding === 'base64';
      if (lacksEncoding && adapter.change(ENCODING)) return this.embedOnce(request, adapter, signal);
      throw error;
    }
  }

  transcribe({ model, file, fields, isJson }: TranscriptionRequest, signal: AbortSignal): Promise<Transcription> {
    const call = this.call(this.options.timings.transcription, signal, async (callSignal) => {
      const form = transcriptionForm([['model', model], ...fields], file);
      const options = { ...form, signal: callSignal };
      const response = await this.client.post('/audio/transcriptions', options).asResponse();
      return relayedTranscription(await response.text(), { isJson, type: response.headers.get('content-type') });
    });
    return this.observed(signal, call, () => fields);
  }

  listModels(signal: AbortSignal): Promise<ProviderModel[]> {
    const call = this.call(this.options.timings.list, signal, async (callSignal) => {
      const models = new Map<string, ProviderModel>();
      let after: string | null = null;
      for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
        const answer = await this.modelPage(after, callSignal);
        const known = models.size;
        for (const model of modelsOf(answer)) if (!models.has(model.id)) models.set(model.id, model);
        after = nextPageOf(answer);
        if (after === null || models.size === known || models.size >= MAX_MODELS) break;
      }
      return [...models.values()];
    });
    return this.observed(signal, call);
  }

  private async modelPage(after: string | null, signal: AbortSignal): Promise<unknown> {
    const query = after === null ? '' : `?after_id=${encodeURIComponent(after)}`;
    const response = await this.client.get(`/models${query}`, { signal }).asResponse();
    const type = response.headers.get('content-type')?.toLowerCase() ?? '';
    if (response instanceof UpstreamResponse && (await isPage(response.answer.source, type))) {
      // An unread body would hold its connection and collect what arrives.
      response.answer.source.abort();
      throw new ProviderError('provider_error', { fault: 'html' });
    }
    return response.json();
  }

  /** Checks the key by an endpoint that refuses a wrong one. Throws like `listModels`. */
  async checkKey(path: string, signal: AbortSignal): Promise<void> {
    await this.call(this.options.timings.list, signal, (callSignal) => this.client.get(path, { signal: callSignal }));
  }

  async close(): Promise<void> {
    await Promise.all([this.agent.close(), this.pacedAgent.close()]);
  }

  /** Opens a stream, again as `withRetries` and the adapter say, and reads it to its end. */
  private async read(
    request: ProviderRequest,
    adapter: RequestAdapter,
    signal: AbortSignal,
    onEvents: ProviderEventListener,
  ): Promise<void> {
    const { timings } = this.options;
    const { retryBudget, retryBudgetWithFallback } = timings;
    const patience = { ...timings, retryBudget: request.hasFallback ? retryBudgetWithFallback : retryBudget };
    const clock = new CallClock(signal);
    clock.arm(timings.firstToken, firstTokenTimeout);
    try {
      const openOnce = (): Promise<UpstreamAnswer> => this.open(adapter.body, clock);
      const answer = await withRetries(patience, clock.signal, () => adapter.untilAccepted(openOnce));
      await readCompletion({ answer, decoder: decoderFor(request), clock, readClock, timings, onEvents });
    } finally {
      clock.close();
    }
  }

  private async open(value: Body, clock: CallClock): Promise<UpstreamAnswer> {
    const { signal } = clock;
    // A server that refuses streams sends nothing before the answer is whole.
    if (value['stream'] === false) clock.arm(this.options.timings.whole, firstTokenTimeout);
    const { apiKey } = this.options;
    const { body, headers } = await jsonRequest(value);
    signal.throwIfAborted();
    return askUpstream(this.pacedAgent, {
      url: new URL(`${this.baseUrl}/chat/completions`),
      method: 'POST',
      headers: {
        accept: 'application/json',
        ...headers,
        ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
      },
      body,
      signal,
    });
  }

  /**
   * Reports the outcome of a call; one that its caller aborted has none.
   * @param sent the request as it was sent, whose quotations are taken from the provider's words; without it, none are kept
   */
  private async observed<T>(signal: AbortSignal, call: Promise<T>, sent?: () => unknown): Promise<T> {
    const { apiKey, onOutcome = () => undefined } = this.options;
    try {
      const result = await call;
      onOutcome(null);
      return result;
    } catch (error) {
      if (error instanceof ProviderError) {
        if (sent !== undefined) keepWords(error, await shownWords(detailOfFailure(error), sent, apiKey));
        if (!REQUEST_FAILURES.includes(error.code) && !signal.aborted) onOutcome(error);
      }
      throw error;
    }
  }

  /** Makes a call that is not streamed, with a timeout and retries. Throws ProviderError or the signal's reason. */
  private async call<T>(
    timeoutMs: number,
    signal: AbortSignal,
    attempt: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const clock = new CallClock(signal);
    clock.arm(timeoutMs, () => new ProviderError('provider_unreachable', { fault: 'timeout' }));
    try {
      return await withRetries(this.options.timings, clock.signal, () => attempt(clock.signal));
    } finally {
      clock.close();
    }
  }
}

function createClient({ apiKey }: OpenAiCompatibleOptions, baseURL: string, agent: Agent): OpenAI {
  return new OpenAI({
    baseURL,
    // The SDK requires a key. Without a configured key the fetch removes the header.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    // `withRetries` retries instead: the SDK has no time budget and may retry after text was delivered.
    maxRetries: 0,
    logLevel: 'off',
    fetch: createUpstreamFetch(agent, { anonymous: apiKey === null }),
  });
}

function isImageType(type: string): type is ProviderImage['type'] {
  return IMAGE_TYPES.includes(type);
}

/** Vectors that an input asks for: a text or a list of tokens is one. */
const inputsOf = (input: unknown): number => (Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1);
