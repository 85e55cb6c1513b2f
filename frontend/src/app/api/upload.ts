import type { StoredFile } from '@tanya/contract';
import { toApiError } from './api-client';
import { ApiError } from './api-error';

interface UploadOptions {
  /** Address of the upload; by default that of files for messages. */
  path?: string;
  /** Other fields of the form. */
  fields?: Record<string, string>;
  /** Progress from 0 to 1. */
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}

/** Uploads a file. Uses XMLHttpRequest, because fetch does not report upload progress. */
export function upload<T = StoredFile>(
  file: File,
  { path = '/api/files', fields = {}, onProgress, signal }: UploadOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.withCredentials = true;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress?.(event.loaded / event.total);
    };
    request.onload = () => {
      const { status, statusText, responseText } = request;
      if (status >= 300) return reject(toApiError(status, statusText, responseText));
      try {
        resolve(JSON.parse(responseText) as T);
      } catch {
        // A page of a network that asks for a login, or of a proxy.
        reject(ApiError.network());
      }
    };
    request.onerror = () => reject(ApiError.network());
    request.onabort = () => reject(new DOMException('The upload was cancelled', 'AbortError'));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    if (signal?.aborted) {
      request.onabort(new ProgressEvent('abort'));
      return;
    }
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', file, file.name);
    request.send(form);
  });
}
