import type { ErrorBody } from '@tanya/contract';

export interface Answer<T> {
  status: number;
  headers: Headers;
  /** The parsed body of a JSON response, else its text. */
  body: T;
  text: string;
}

interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent unchanged, in place of JSON. */
  raw?: string | Uint8Array<ArrayBuffer> | FormData;
  signal?: AbortSignal;
}

/** One browser: a cookie jar and a client address of its own. */
export class HttpClient {
  constructor(
    readonly url: string,
    /** Sent as X-Forwarded-For, so that rate limits of one client do not affect the others. */
    readonly address: string,
    /** Shared between the clients of one browser that reaches the server through several addresses. */
    readonly cookies = new Map<string, string>(),
  ) {}

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** A second browser with a copy of the current cookies. */
  copy(): HttpClient {
    const copy = new HttpClient(this.url, this.address);
    for (const [name, value] of this.cookies) copy.cookies.set(name, value);
    return copy;
  }

  get<T = unknown>(path: string, options?: RequestOptions): Promise<Answer<T>> {
    return this.send<T>('GET', path, options);
  }

  post<T = unknown>(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<T>> {
    return this.send<T>('POST', path, { body, ...options });
  }

  put<T = unknown>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.send<T>('PUT', path, { body });
  }

  patch<T = unknown>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.send<T>('PATCH', path, { body });
  }

  delete<T = unknown>(path: string, body?: unknown): Promise<Answer<T>> {
    return this.send<T>('DELETE', path, { body });
  }

  async send<T = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<T>> {
    const response = await fetch(this.url + path, {
      method,
      redirect: 'manual',
      signal: options.signal,
      body: options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
      headers: {
        ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(this.cookies.size > 0 ? { Cookie: this.cookieHeader } : {}),
        'X-Forwarded-For': this.address,
        ...options.headers,
      },
    });
    this.keepCookies(response.headers.getSetCookie());
    const text = await response.text();
    const isJson = text !== '' && (response.headers.get('content-type')?.includes('json') ?? false);
    return { status: response.status, headers: response.headers, text, body: (isJson ? JSON.parse(text) : text) as T };
  }

  private keepCookies(lines: string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** The error body of a response, whose status must be an error. */
export function errorOf(answer: Answer<unknown>): ErrorBody {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  return answer.body as ErrorBody;
}

/** The first field that a response with code `invalid` refuses. */
export function refusedField(answer: Answer<unknown>): string | undefined {
  const { details } = errorOf(answer);
  return Array.isArray(details) ? details[0]?.field : undefined;
}
