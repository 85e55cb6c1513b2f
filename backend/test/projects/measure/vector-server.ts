import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { storedVector } from '../../../src/projects/embedding/vectors.js';
import { vectorOf } from '../stand-in-vectors.js';
import { conceptOf } from './words.js';

const FILE = new URL('vectors.json', import.meta.url);

/** Vectors by the beginning of the hash of their text: numbers of 8 bits in base64. */
interface Stored {
  /** Who made them. */
  model: string;
  vectors: Record<string, string>;
}

/** A server of embeddings whose vectors are asked for when none is stored. */
export interface VectorSource {
  /** OpenAI's base URL, such as `http://127.0.0.1:11434/v1`. */
  url: string;
  model: string;
  key: string;
}

export interface VectorServer {
  url: string;
  /** Who made the vectors. */
  model: string;
  /** Keeps the vectors of this run, and no others, in the file. */
  store(): void;
  close(): Promise<void>;
}

/**
 * Serves embeddings: the stored ones; with `'stand-in'` or a server those of it.
 * @param from absent, a text without a stored vector is refused
 */
export async function startVectorServer(from?: VectorSource | 'stand-in'): Promise<VectorServer> {
  const stored = JSON.parse(readFileSync(FILE, 'utf8')) as Stored;
  const used: Record<string, string> = {};
  const model = from === undefined ? stored.model : from === 'stand-in' ? 'stand-in' : from.model;
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(JSON.stringify({ error: { message: String(error) } })),
    );
  });

  async function answer(request: IncomingMessage): Promise<object> {
    const { input } = JSON.parse(await textOf(request)) as { input: string[] };
    const vectors = from === undefined ? input.map(keptVector) : await madeVectors(input, from);
    for (const [at, text] of input.entries()) used[keyOf(text)] = storedVector(vectors[at]!).numbers.toString('base64');
    const data = vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
    }));
    return { object: 'list', data, model, usage: { prompt_tokens: 1, total_tokens: 1 } };
  }

  function keptVector(text: string): Float32Array {
    const numbers = stored.vectors[keyOf(text)];
    if (numbers === undefined) throw new Error('No vector is stored; run npm run measure-projects -- --write');
    const bytes = Buffer.from(numbers, 'base64');
    return Float32Array.from(bytes, (byte) => (byte > 127 ? byte - 256 : byte));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    model,
    store: () => writeFileSync(FILE, `${JSON.stringify({ model, vectors: sorted(used) }, null, 2)}\n`),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function madeVectors(texts: readonly string[], from: VectorSource | 'stand-in'): Promise<Float32Array[]> {
  if (from === 'stand-in') return texts.map((text) => vectorOf(text, conceptOf));
  const { url, model, key } = from;
  const answer = await fetch(`${url}/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
  });
  if (!answer.ok) throw new Error(`${url} answers with ${answer.status}: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: { index: number; embedding: number[] }[] };
  return data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => Float32Array.from(embedding));
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

const sorted = (vectors: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(vectors).toSorted(([a], [b]) => (a < b ? -1 : 1)));
