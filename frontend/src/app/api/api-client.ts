import type { ErrorBody } from '@tanya/contract';
import { t } from '../i18n/translate';
import { ApiError } from './api-error';

export interface Page<T> {
  items: T[];
  /** Pass it as `before` to read the next page; null on the last page. */
  nextCursor: string | null;
  /** The number of entries on all pages, where the server counts them. */
  total?: number;
}

let resolveFirstCall: () => void = () => undefined;

/** Resolves when the first call has ended. Its answer sets the guest cookie, which the socket handshake needs. */
export const firstCall = new Promise<void>((resolve) => {
  resolveFirstCall = resolve;
});

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const hasBody = body !== undefined;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'include',
      headers: hasBody && !(body instanceof FormData) ? { 'Content-Type': 'application/json' } : undefined,
      body: hasBody ? (body instanceof FormData ? body : JSON.stringify(body)) : undefined,
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    resolveFirstCall();
    throw ApiError.network();
  }
  resolveFirstCall();
  if (!response.ok) throw toApiError(response.status, response.statusText, await response.text().catch(() => ''));
  return response;
}

async function read<T>(response: Response, signal?: AbortSignal): Promise<T> {
  try {
    const text = await response.text();
    return (text ? JSON.parse(text) : undefined) as T;
  } catch (error) {
    // The connection was lost, or a network that asks for a login has answered with its page.
    throw signal?.aborted ? error : ApiError.network();
  }
}

export function toApiError(status: number, statusText: string, text: string): ApiError {
  const body = parse(text);
  // The codes of other servers are often numbers.
  if (typeof body?.code === 'string') {
    const message = (typeof body.message === 'string' && body.message) || statusText;
    return new ApiError(status, body.code, message, { ...body, message } as ErrorBody);
  }
  const words = foreignText(body, text) || statusText || t('network.requestFailed');
  return new ApiError(status, status >= 502 ? 'network' : 'internal', words);
}

function parse(text: string): Partial<ErrorBody> | null {
  try {
    return JSON.parse(text) as Partial<ErrorBody> | null;
  } catch {
    return null;
  }
}

const FOREIGN_TEXT_MAX = 300;

/** What something in front of the server, such as a proxy, says. Its pages of HTML say nothing that fits into a notice. */
function foreignText(body: Partial<ErrorBody> | null, text: string): string {
  const words = typeof body?.message === 'string' ? body.message : text;
  return words.trimStart().startsWith('<') ? '' : words.trim().slice(0, FOREIGN_TEXT_MAX);
}

/** The HTTP client of the page. Failures reject with an ApiError, aborted calls with an AbortError. */
export const api = {
  get: async <T>(path: string, signal?: AbortSignal) => read<T>(await send('GET', path, undefined, signal), signal),
  post: async <T>(path: string, body?: unknown) => read<T>(await send('POST', path, body)),
  patch: async <T>(path: string, body?: unknown) => read<T>(await send('PATCH', path, body)),
  put: async <T>(path: string, body?: unknown) => read<T>(await send('PUT', path, body)),
  delete: async <T>(path: string, body?: unknown) => read<T>(await send('DELETE', path, body)),

  /** Deletes what another tab, another browser or the time may have deleted already. */
  deleteIfThere: async (path: string, body?: unknown): Promise<void> => {
    try {
      await send('DELETE', path, body);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'not_found')) throw error;
    }
  },

  /** False when the server answers 404: the resource does not exist or belongs to another owner. */
  has: async (path: string): Promise<boolean> => {
    try {
      await send('HEAD', path);
    } catch (error) {
      return !(error instanceof ApiError && error.status === 404);
    }
    return true;
  },

  /** Reads a page of a list; the cursor of the next page is in the header `X-Next-Cursor`. */
  getPage: async <T>(path: string, signal?: AbortSignal): Promise<Page<T>> => {
    const response = await send('GET', path, undefined, signal);
    const total = response.headers.get('X-Total-Count');
    const page = { items: await read<T[]>(response, signal), nextCursor: response.headers.get('X-Next-Cursor') };
    return total ? { ...page, total: Number(total) } : page;
  },
};
