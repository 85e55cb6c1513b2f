import { setTimeout as sleep } from 'node:timers/promises';
import { demoAnswer, type DemoQuestion } from './demo-answer.js';
import { demoCall, demoResults } from './demo-call.js';
import { passagesIn, withoutMaterial } from './demo-passages.js';
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
  ToolCallEvent,
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

/** A landscape labelled DEMO: a PNG of 512 by 512 pixels. In the code, so that the build has no file beside it to carry. */
const DEMO_PICTURE = Buffer.from(
  [
    'iVBORw0KGgoAAAANSUhEUgAAAgAAAAIABAMAAAAGVsnJAAAAD1BMVEUWQlsfOl8vZpDysTT///81WulOAAAACXBIWXMAAAsTAAALEwEAmpwYAAAH',
    'AUlEQVR42u3d0XHjOBBF0U5B7Qi6M3Aphck/pv3ZmZpdiyAINkCgcd+Xy+USiOMHqmxCpLw2jwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAwV97/Zk+A93+yG8DX+0e+dwJ4f8w2AF/vg3zvAXA4/+sCkmz+lwUkzfJvPBFIst//5Q5I',
    'vvlfE5CE878kINlOAFdPA5Jy/hcEJOECuLQIJOf86wUk5QK4sAgkaQGqKyBZC1BbAclagNoKSNoCVFZA8s6/rgKZAd65AL7eXSogiQtQVQFJXICq',
    'CkjmAtRUQDIXoKYCkroAFRUAIPUKqFgDkrsA5xUAIPcKOF8DkrwApxUAIPkKOF0DAGRfAWdrQLIXAICTNQBA+lPAyRoAIP0KOFkDAORfAeU1AAAA',
    '6U8B5ZMAAADkPwUUTwIAAAAAANnfBIpvAwAAAAAAAGR/Fyy9DwIAAAAAAAAAAAAAAAAAAAAAAAD8QwQAAAAAAAAujgIAAACZAL7ZJgcAAGyWBgAA',
    'PjIDAB+bA4CPzgLAx+e5gQK30ACA2+gAwK20uJkaANxQkVtqAsBtdbmxMrfW5ubqL26vzwMWeMQGD1nhMTs8aIlHbfGwNR63xwMXeeQmD13lsbs8',
    'eJlHb69/GvhO//T5cgeuzX9NgJLAxfkvCnAscHX+qwIcnQiuv86yAJ9K8P3aCeBHC9peY2mAvwyaXyAQQJcUDARw2xtA3fcGcF+yAhJYgCUrIIEF',
    'WLICElmAFSsgkQVYsQISWoB9Afx3NgXQPwC2J4D7shWQ2AKsVwEJLsByFZDo+a9WAYldAOtVQKILsB/A/wuw2BqQ8AIsVgEJL8BiFZD4AqxVAYkv',
    'wFoVkA4FWKoC0qEAS1XgBsCvg/wN8KuYv3/m6PXLI84K4NsD2O4Avj2A7Q7g2wPY7gCeHkB3B/ATAEsOoGcAnhzATwEsNYD+Bvj5l9Cf7xcmdzSt',
    '8ndqkEYBeAWAJQbQGgBPDOBVAJYWQHcH8DoAzwrgtQCWE0CrATwngG8OoLsD+OYAujuA9wGo//phAN0dwDcH0N0BfHMA3R3ANwfQzQHUNwfwzQG0',
    'FcCSAHgrgOcA0GaA8gWNEAC1/gA+M0Dz1jxp3xE3E4A2b82T9i2RMwG0786U9i2REwFo++5Mad8TOxHAjQ260r4ndh4AvbFBV9o3Rc8DcGePtrRv',
    'ip4PwPoB+BIA3g3AFwGwTgC6CoB3AvCbAOVfT80fOrUA1gVAYwB8AIB3AfAgABsAYB0ANArABwB4BwAPA7ABABYOoHEAPgDAwwE8EMAGAFgwgEYC',
    'eDCAfjqGYACfGEA/HoOFAmgsgIUCHBxDKIDHAngkwNGOdQsE0GgACwQ4PIY4gNL82wA8DuB4x7qFAXg8gIUBFI4hCkA7AHgUQGnHugUBeA8ACwIo',
    'HkMMgM4MoMVjsBAA7wLgMQDlY/AIAO0EYBEAJ8dQXwFpLkAzgAcAnO1Yr6+ANBegHcDuA/gpgN0G8G4AfhtAzwH8LoB2BLC7AF4BYDcBvCOA3wTQ',
    'GgC/B6C1AMcfni79TNSHp0vHZ7cAfH0AvwPgGQCsHUBTAHg7gOcAsFYATQLgrQCeBcDaADQNgLcBeB4AawHQRADeAuCZAOw6gKYC8OsAPioWdg/X',
    'O6NIwBiteQXdxPfWKPJYARoq0GMUea4AlyugPUaRB+fvIwpwVgF5bAFcXgPaxVkeLMDFCvRxlgcLcK0C2mcYebIAlyrQaRh5sgBXKqCdhpFHC3Ch',
    'Ar2GkUcLUF8B7TWMPFuAWgDt1jR5tgC1a6AftDxbgMoKaD9oebgAdRXoCC0PF6CqAtoRWp4uQE0FekLL4/M/r4D2hJaHF0BNBbpCy+MFOAXQruPI',
    '8wU4WwN9x5HnC3BSgc7jyPMFKFdAO48jExSgWIHe48gEBShVQHuPIzMUoFCB7uPIDAU4roB2H0emKMAhQP+qyRQFOFoD2l9apijAUQUGSMscBfhc',
    'AR0gLZPM/1MFdIT0NAD+GrRVw2YFsFFbNWYF8FFbNWwRAB0z0EQANmqrgk0K4MO2KswKYKOuVNukAD7sSvWsADbqQqVNCuDDrtPNCmCjrtPZ5AAD',
    'uzYXgA+7TmWTAtiwyxSTAviwyxQ2KYAN+y/1pAA+7L/UNimAvcaecKcDGH3C3RjAtwew3QF8ewDbHcC3B7DdAXx7ANsdwLcHsN0BHAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAMgMQQgghhBBCCCGEEEIIIYQQQgghhBBCCCGEEEIIIYQQQgghhBBCCCGEEEII',
    'IYQQQgghhBBCCCGEEEIIIYQQQgghhBBCCCFkuvwDTLzN2TJcsS8AAAAASUVORK5CYII=',
  ].join(''),
  'base64',
);
