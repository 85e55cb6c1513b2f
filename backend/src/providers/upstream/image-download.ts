import type { Readable } from 'node:stream';
import { Agent, type buildConnector, request } from 'undici';
import { ProviderError } from '../provider-error.js';

/** The part of a data URL before its content. */
const DATA_URL = /^data:[^,]{0,200};base64,/i;

export const MAX_IMAGE_BYTES = 20 * 1024 * 1024;

/**
 * Downloads a picture that an upstream returned as a URL. The URL is untrusted input: `connect` decides which addresses
 * it may lead to. One without an origin, as of Xinference, is that of the upstream.
 * The request carries no key, and redirects are not followed.
 * @throws ProviderError for another scheme than HTTP(S), another status than 200 and more than MAX_IMAGE_BYTES
 */
export async function downloadImage(
  address: string,
  baseUrl: string,
  connect: buildConnector.connector,
  signal: AbortSignal,
): Promise<Buffer> {
  const url = URL.canParse(address, `${baseUrl}/`) ? new URL(address, `${baseUrl}/`) : null;
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

/** The content of a base64 data URL; null for any other address. */
export function imageInUrl(address: string): Buffer | null {
  const [head] = DATA_URL.exec(address) ?? [];
  return head === undefined ? null : Buffer.from(address.slice(head.length), 'base64');
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
