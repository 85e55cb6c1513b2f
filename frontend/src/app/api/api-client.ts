import type { ErrorBody, StoredFile } from '@tanya/contract';
import { ApiError } from './api-error';

export interface Page<T> {
  items: T[];
  /** Give it back as `before` to get the next page; null at the end. */
  nextCursor: string | null;
}

let endFirstCall: () => void = () => undefined;

/** Settles when the first call is over: with an answer came the guest cookie, without one there is nothing to wait for. */
export const firstCall = new Promise<void>((resolve) => {
  endFirstCall = resolve;
});

async function send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const hasBody = body !== undefined;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      credentials: 'include',
      headers: hasBody ? { 'Content-Type': 'application/json' } : undefined,
      body: hasBody ? JSON.stringify(body) : undefined,
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    endFirstCall();
    throw ApiError.network();
  }
  endFirstCall();
  if (!response.ok) throw toApiError(response.status, response.statusText, await response.text());
  return response;
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

function toApiError(status: number, statusText: string, text: string): ApiError {
  try {
    const body = JSON.parse(text) as ErrorBody;
    if (body?.code) return new ApiError(status, body.code, body.message || statusText, body);
  } catch {
    // A proxy between us and the server answers in its own words.
  }
  return new ApiError(status, status >= 502 ? 'network' : 'internal', statusText || 'The request failed');
}

/** The one way to the HTTP interface. Every failure is an ApiError; an aborted call rejects with the AbortError. */
export const api = {
  get: async <T>(path: string, signal?: AbortSignal) => read<T>(await send('GET', path, undefined, signal)),
  post: async <T>(path: string, body?: unknown) => read<T>(await send('POST', path, body)),
  patch: async <T>(path: string, body?: unknown) => read<T>(await send('PATCH', path, body)),
  put: async <T>(path: string, body?: unknown) => read<T>(await send('PUT', path, body)),
  delete: async <T>(path: string, body?: unknown) => read<T>(await send('DELETE', path, body)),

  /** False where the server says that there is nothing, or nothing of ours, at this address. */
  has: async (path: string): Promise<boolean> => {
    try {
      await send('HEAD', path);
    } catch (error) {
      return !(error instanceof ApiError && error.status === 404);
    }
    return true;
  },

  /** A bounded list read: the body is the page, a header says where the next one begins. */
  getPage: async <T>(path: string, signal?: AbortSignal): Promise<Page<T>> => {
    const response = await send('GET', path, undefined, signal);
    return { items: await read<T[]>(response), nextCursor: response.headers.get('X-Next-Cursor') };
  },
};

interface UploadOptions {
  /** Called with a number from 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** Sends a file to POST /api/files. XMLHttpRequest, because fetch can't tell how far an upload is. */
export function upload(file: File, { onProgress, signal }: UploadOptions = {}): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', '/api/files');
    request.withCredentials = true;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      if (request.status < 300) resolve(JSON.parse(request.responseText) as StoredFile);
      else reject(toApiError(request.status, request.statusText, request.responseText));
    };
    request.onerror = () => reject(ApiError.network());
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    if (signal?.aborted) {
      request.onabort(new ProgressEvent('abort'));
      return;
    }
    const form = new FormData();
    form.append('file', file, file.name);
    request.send(form);
  });
}
