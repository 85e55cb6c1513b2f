import type { Readable } from 'node:stream';
import { API_LIMITS } from '@tanya/contract';
import { Injectable } from '@nestjs/common';
import { fileTypeFromBuffer } from 'file-type';
import { Agent, type Dispatcher, request } from 'undici';
import type { RunLife } from '../../chat/generation/live/run-spec.js';
import type { Owner } from '../../identity/identity.js';
import { type Kept, KeptBytes } from '../../platform/bodies/kept-bytes.js';
import { AppError } from '../../platform/errors/app-error.js';
import { nameServerLookup } from '../../platform/net/name-servers.js';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { untilAborted, withDeadline } from '../../platform/resilience/with-deadline.js';
import { inSlices, toBase64Pieces } from '../../platform/system/slices.js';
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
  connect = guardedConnector({ timeout: TIMEOUT_MS, trustedOrigin: null, lookup: nameServerLookup() });

  private readonly memory = new KeptBytes();

  /**
   * Replaces the addresses in messages by data URLs of what they lead to: PNG, JPEG, GIF or WebP by content. Each address
   * is fetched once, without cookies and referrer.
   * @param run keeps the pictures until it has ended
   * @throws AppError `invalid` if one cannot be fetched, `server_busy` if pictures take too much memory; the reason of a stop
   */
  async fetchIn(messages: ProviderMessage[], owner: Owner, run: RunLife): Promise<ProviderMessage[]> {
    const addresses = [...addressesIn(messages)];
    if (addresses.length === 0) return messages;
    const kept = { sender: { key: owner }, bytes: 0 };
    this.memory.add(kept);
    void run.ended.then(() => this.memory.delete(kept));
    const pictures = await this.fetchAll(addresses, kept, run.signal);
    const fetched = (part: ProviderPart): ProviderPart =>
      hasAddress(part) ? { ...part, dataUrl: pictures.get(part.dataUrl)! } : part;
    return messages.map((message) =>
      message.role === 'user' && typeof message.content !== 'string'
        ? { ...message, content: message.content.map(fetched) }
        : message,
    );
  }

  private async fetchAll(addresses: readonly string[], kept: Kept, stop: AbortSignal): Promise<Map<string, string>> {
    const agent = new Agent({ connect: this.connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
    let left: number = API_LIMITS.pictureBytes;
    const count = (bytes: number): void => {
      left -= bytes;
      if (left < 0) throw refusedPicture();
      const encoded = Math.ceil((bytes * 4) / 3);
      if (!this.memory.fits(kept.sender.key, encoded)) throw new AppError('server_busy');
      kept.bytes += encoded;
    };
    try {
      // The first failure ends the other requests.
      const failed = new AbortController();
      // undici checks an abort only after connecting, which is too late.
      return await withDeadline(TIMEOUT_MS, AbortSignal.any([failed.signal, stop]), (signal) =>
        untilAborted(signal, async () => {
          const fetches = addresses.map(async (address): Promise<[string, string]> => {
            const bytes = await fetchPicture(new URL(address), agent, count, signal);
            return [address, await toDataUrl(bytes)];
          });
          return new Map(await Promise.all(fetches));
        }).finally(() => failed.abort()),
      );
    } catch (error) {
      this.memory.delete(kept);
      stop.throwIfAborted();
      throw error instanceof AppError && error.code === 'server_busy' ? error : refusedPicture();
    } finally {
      void agent.destroy().catch(() => undefined);
    }
  }
}

/** @param count of bytes as they arrive, throws beyond a bound */
async function fetchPicture(url: URL, dispatcher: Agent, count: (bytes: number) => void, signal: AbortSignal) {
  let at: URL | null = url;
  for (let redirects = 0; at !== null && redirects <= MAX_REDIRECTS; redirects += 1) {
    const { statusCode, headers, body }: Dispatcher.ResponseData = await request(at, {
      dispatcher,
      signal,
      headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'tanya' },
    });
    if (statusCode === 200) return readAll(body, count);
    body.on('error', () => undefined).destroy();
    const location = [headers.location].flat()[0];
    if (!REDIRECTS.includes(statusCode) || location === undefined) throw refusedPicture();
    at = usableAddress(location, at);
  }
  throw refusedPicture();
}

async function readAll(body: Readable, count: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    count(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function toDataUrl(bytes: Buffer): Promise<string> {
  const type = TYPES[(await fileTypeFromBuffer(bytes.subarray(0, SIGNATURE_BYTES)))?.mime ?? ''];
  if (type === undefined) throw refusedPicture();
  const pieces = [`data:${type};base64,`];
  for await (const piece of inSlices(toBase64Pieces(bytes))) pieces.push(piece);
  return pieces.join('');
}
