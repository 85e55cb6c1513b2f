import { Injectable } from '@nestjs/common';
import type { ConnectionFault } from '@tanya/contract';
import type { buildConnector } from 'undici';
import { guardedConnector } from '../../platform/net/ssrf-guard.js';
import { ToolFailure } from '../define-tool.js';
import { OutboundFailure } from '../outbound/outbound-failure.js';
import { outboundRequest, type OutboundResponse } from '../outbound/outbound-request.js';
import { pageAddress } from './page-address.js';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 3;
const CONNECT_TIMEOUT_MS = 5_000;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/plain,text/markdown,application/json,application/pdf;q=0.9,*/*;q=0.5',
  'accept-language': 'en,id;q=0.9,*;q=0.5',
};

/** Types without text. */
const MEDIA = /^(image|audio|video|font)\//;

const SENTENCES: Partial<Record<ConnectionFault, string>> = {
  address_forbidden: 'This address is not public, so it cannot be read.',
  timeout: 'The page did not answer in time.',
  dns: 'The host of this address does not exist.',
  refused: 'The host refused the connection.',
  tls: 'A secure connection to the page could not be established.',
  too_large: 'The page has more than 2 MB, so it cannot be read.',
  invalid_answer: 'The server sent an answer that cannot be read.',
};

export interface FetchedPage {
  /** The address after redirects. */
  url: URL;
  /** Content-Type as sent. */
  contentType: string;
  bytes: Buffer;
}

/**
 * Downloads pages of public hosts. Each hop connects through the guard, which checks the address that the socket connects
 * to, so neither a redirect nor a name that changes its address reaches a private host.
 */
@Injectable()
export class PageFetcher {
  /** Replaced by tests, whose pages are on this machine. */
  connect: buildConnector.connector = guardedConnector({ timeout: CONNECT_TIMEOUT_MS, trustedOrigin: null });

  /** @param timeoutMs of the whole download @throws ToolFailure; the reason of `signal` when it aborts */
  async fetch(address: string, signal: AbortSignal, timeoutMs: number): Promise<FetchedPage> {
    const deadline = performance.now() + timeoutMs;
    let url = pageAddress(address);
    for (let hops = 0; ; hops += 1) {
      const response = await this.hop(url, signal, Math.max(1, Math.ceil(deadline - performance.now())));
      if (response.location === null) return { url, contentType: response.contentType, bytes: bodyOf(response) };
      if (hops === MAX_REDIRECTS) throw new ToolFailure(`The page redirects more than ${MAX_REDIRECTS} times.`);
      url = pageAddress(response.location, url);
    }
  }

  private async hop(url: URL, signal: AbortSignal, timeoutMs: number): Promise<OutboundResponse> {
    try {
      return await outboundRequest({
        url,
        headers: HEADERS,
        connect: this.connect,
        maxBytes: MAX_BYTES,
        signal,
        timeoutMs,
      });
    } catch (error) {
      if (!(error instanceof OutboundFailure)) throw error;
      throw new ToolFailure(SENTENCES[error.fault] ?? 'The page cannot be reached.');
    }
  }
}

function bodyOf({ status, type, bytes }: OutboundResponse): Buffer {
  if (status < 200 || status >= 300) throw new ToolFailure(`The server answered with status ${status}.`);
  if (MEDIA.test(type)) throw new ToolFailure(`This address is a file of type ${type}, which has no text.`);
  return bytes;
}
