import type { Readable } from 'node:stream';
import { Agent, type buildConnector, request } from 'undici';
import { ProviderError } from '../provider-error.js';

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/**
 * Downloads a picture that an upstream returned as a URL. The URL is untrusted input: `connect` decides which addresses
 * it may lead to. The request carries no key, and redirects are not followed.
 * @throws ProviderError for another scheme than HTTP(S), another status than 200 and more than MAX_IMAGE_BYTES
 */
export async function downloadImage(
  address: string,
  connect: buildConnector.connector,
  signal: AbortSignal,
): Promise<Buffer> {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) throw new ProviderError('provider_error');
  const agent = new Agent({ connect });
  try {
    const { statusCode, body } = await request(`${url.origin}${url.pathname}${url.search}`, {
      dispatcher: agent,
      headers: { accept: 'image/*', 'user-agent': 'tanya' },
      signal,
    });
    if (statusCode !== 200) throw new ProviderError('provider_error');
    return await readAll(body, MAX_IMAGE_BYTES);
  } finally {
    void agent.destroy().catch(() => undefined);
  }
}

/** Reads a body to its end. @throws ProviderError if it is larger than `limit` bytes, after destroying it */
async function readAll(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new ProviderError('provider_error');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
