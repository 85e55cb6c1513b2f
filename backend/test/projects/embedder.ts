import type { HttpClient } from '../harness/http-client.js';
import type { Script } from '../harness/scripted-answers.js';
import { type ScriptedUpstream, startUpstream } from '../harness/scripted-upstream.js';
import { vectorOf } from './stand-in-vectors.js';

/** Words of one concept in these tests. */
const CONCEPTS: Readonly<Record<string, string>> = {
  dog: 'dog',
  dogs: 'dog',
  hound: 'dog',
  anjing: 'dog',
  salary: 'pay',
  wage: 'pay',
  wages: 'pay',
  gaji: 'pay',
};

export const conceptOf = (word: string): string => CONCEPTS[word] ?? word;

/** What llama.cpp says. */
const TOO_LONG = {
  status: 500,
  body: '{"error":{"code":500,"message":"input (596 tokens) is too large to process. increase the physical batch size (current batch size: 512)","type":"server_error"}}',
};

/** A provider whose embeddings follow the words of the texts; its other answers are scripted as usual. */
export class Embedder {
  /** Replaces the next answers about embeddings while it is set. */
  failure: Script | null = null;
  /** Texts that are too many or too long. */
  refuses: (texts: readonly string[]) => boolean = () => false;
  /** Of an answer, ms. */
  delay = 0;
  /** Numbers of a vector. */
  size = 64;
  /** Texts of the calls, in their order. */
  readonly texts: string[] = [];
  /** The models that were called. */
  readonly models: string[] = [];
  upstream!: ScriptedUpstream;

  static async start(): Promise<Embedder> {
    const embedder = new Embedder();
    embedder.upstream = await startUpstream({ words: 20, choose: (_, body) => embedder.answer(body) });
    return embedder;
  }

  /** The answer to a call about embeddings; undefined for any other call. */
  answer(body: Record<string, unknown>): Script | undefined {
    const { input, model } = body;
    // The messages of another protocol are a list, too.
    if (!Array.isArray(input) || typeof input[0] !== 'string') return undefined;
    const texts = input as string[];
    this.texts.push(...texts);
    this.models.push(String(model));
    if (this.failure !== null) return { on: 'embeddings', ...this.failure };
    if (this.refuses(texts)) return { on: 'embeddings', ...TOO_LONG };
    const data = texts.map((text, index) => {
      const vector = vectorOf(text, conceptOf, this.size);
      return { object: 'embedding', index, embedding: Buffer.from(vector.buffer).toString('base64') };
    });
    const tokens = texts.length * 10;
    const usage = { prompt_tokens: tokens, total_tokens: tokens };
    return { on: 'embeddings', delay: this.delay, body: JSON.stringify({ object: 'list', data, model, usage }) };
  }
}

/** Adds an embedding model with a price. */
export async function addEmbeddingModel(admin: HttpClient, modelId: string): Promise<void> {
  const answer = await admin.post('/api/admin/models', {
    modelId,
    name: modelId,
    provider: 'Tests',
    kind: 'embedding',
  });
  if (answer.status !== 201) throw new Error(`no model: ${answer.text}`);
}

export async function setEmbeddingModel(admin: HttpClient, embeddingModelId: string | null): Promise<void> {
  const answer = await admin.patch('/api/admin/general-settings', { embeddingModelId });
  if (answer.status !== 200) throw new Error(`not set: ${answer.text}`);
}
