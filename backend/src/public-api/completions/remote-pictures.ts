import type { Readable } from 'node:stream';
import { API_LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { fileTypeFromBuffer } from 'file-type';
import { Agent, type Dispatcher, request } from 'undici';
import { AppError } from '../../platform/errors/app-error.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { untilAborted, withDeadline } from '../../platform/resilience/with-deadline.js';
import { inSlices, Slices } from '../../platform/system/slices.js';
import type { ProviderMessage, ProviderPart } from '../../providers/provider.js';

/** Time for all pictures of a request together. */
const TIMEOUT_MS = 10_000;

const MAX_REDIRECTS = 3;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** By what the content is; an animated PNG is a PNG. */
const TYPES: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/gif': 'image/gif',
  'image/webp': 'image/webp',
};

/** Bytes in which the signature of a picture is sought. */
const SIGNATURE_BYTES = 4_100;

/** Bytes that are written as base64 in one piece: whole groups of three. */
const PIECE_BYTES = 96 * 1024;

/** One error for all failures: a more precise one would let programs look around in networks and servers. */
function refusedPicture(field?: string): AppError {
  const { pictures, pictureBytes } = API_LIMITS;
  const params = { max: pictures, megabytes: pictureBytes / 1024 / 1024 };
  const details = field === undefined ? undefined : [{ field, message: 'not fetched' }];
  return new AppError('invalid', { reason: 'picture_address', params, details });
}

/**
 * The address of a picture that is fetched later: https, on port 443 and without a login.
 * @returns null for any other value, such as a data URL
 * @throws AppError `invalid` for an address that is not fetched
 */
export function pictureAddress(value: unknown, param: string): string | null {
  if (typeof value !== 'string' || !/^https?:/i.test(value)) return null;
  const url = usableAddress(value);
  if (url === null) throw refusedPicture(param);
  return url.href;
}

function usableAddress(value: string, base?: URL): URL | null {
  const url =
    value.length <= API_LIMITS.pictureAddress && URL.canParse(value, base?.href) ? new URL(value, base) : null;
  if (url?.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url;
}

const hasAddress = (part: ProviderPart): part is Extract<ProviderPart, { type: 'image' }> =>
  part.type === 'image' && part.dataUrl.startsWith('https:');

const partsOf = ({ content }: ProviderMessage): ProviderPart[] => (typeof content === 'string' ? [] : content);

const addressesIn = (messages: readonly ProviderMessage[]): Set<string> =>
  new Set(messages.flatMap((message) => partsOf(message).filter(hasAddress)).map(({ dataUrl }) => dataUrl));

/** @throws AppError `invalid` for too many pictures by address */
export function requireFewPictures(messages: readonly ProviderMessage[]): void {
  const { length } = messages.flatMap((message) => partsOf(message).filter(hasAddress));
  if (length > API_LIMITS.pictures) throw refusedPicture();
}

/** Fetches pictures that a request names by address, which providers do themselves, if at all. */
@Injectable()
export class RemotePictures {
  /** Refuses every address that is not public. Tests replace it. */
  connect = guardedConnector({ timeout: TIMEOUT_MS, trustedOrigin: null });

  /**
   * Replaces the addresses in messages by data URLs of what they lead to: PNG, JPEG, GIF or WebP by content. Each address
   * is fetched once, without cookies and referrer.
   * @throws AppError `invalid` if one cannot be fetched
   */
  async fetchIn(messages: ProviderMessage[]): Promise<ProviderMessage[]> {
    const addresses = [...addressesIn(messages)];
    if (addresses.length === 0) return messages;
    const pictures = await this.fetchAll(addresses);
    const fetched = (part: ProviderPart): ProviderPart =>
      hasAddress(part) ? { ...part, dataUrl: pictures.get(part.dataUrl)! } : part;
    return messages.map((message) =>
      message.role === 'user' && typeof message.content !== 'string'
        ? { ...message, content: message.content.map(fetched) }
        : message,
    );
  }

  private async fetchAll(addresses: readonly string[]): Promise<Map<string, string>> {
    const agent = new Agent({ connect: this.connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
    const left = { bytes: API_LIMITS.pictureBytes };
    try {
      // The first failure ends the other requests.
      const failed = new AbortController();
      // undici checks an abort only after connecting, which is too late.
      return await withDeadline(TIMEOUT_MS, failed.signal, (signal) =>
        untilAborted(signal, async () => {
          const fetches = addresses.map(async (address): Promise<[string, string]> => {
            const bytes = await fetchPicture(new URL(address), agent, left, signal);
            return [address, await toDataUrl(bytes)];
          });
          return new Map(await Promise.all(fetches));
        }).finally(() => failed.abort()),
      );
    } catch {
      throw refusedPicture();
    } finally {
      void agent.destroy().catch(() => undefined);
    }
  }
}

async function fetchPicture(url: URL, dispatcher: Agent, left: { bytes: number }, signal: AbortSignal) {
  let at: URL | null = url;
  for (let redirects = 0; at !== null && redirects <= MAX_REDIRECTS; redirects += 1) {
    const { statusCode, headers, body }: Dispatcher.ResponseData = await request(at, {
      dispatcher,
      signal,
      headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'tanya' },
    });
    if (statusCode === 200) return readAll(body, left);
    body.on('error', () => undefined).destroy();
    const location = [headers.location].flat()[0];
    if (!REDIRECTS.includes(statusCode) || location === undefined) throw refusedPicture();
    at = usableAddress(location, at);
  }
  throw refusedPicture();
}

async function readAll(body: Readable, left: { bytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    left.bytes -= chunk.length;
    if (left.bytes < 0) throw refusedPicture();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function toDataUrl(bytes: Buffer): Promise<string> {
  const type = TYPES[(await fileTypeFromBuffer(bytes.subarray(0, SIGNATURE_BYTES)))?.mime ?? ''];
  if (type === undefined) throw refusedPicture();
  const pieces = [`data:${type};base64,`];
  for await (const piece of inSlices(base64Pieces(bytes), new Slices())) pieces.push(piece);
  return pieces.join('');
}

function* base64Pieces(bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.toString('base64', at, at + PIECE_BYTES);
}
