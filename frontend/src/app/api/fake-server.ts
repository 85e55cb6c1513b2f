/**
 * Replaces `fetch` in tests: answers by address, or by path without the query; other paths get 404. An answer with a `statusCode` is an
 * error. Returns the requested addresses in order.
 */
export function serve(answers: Record<string, unknown>): string[] {
  const requested: string[] = [];
  globalThis.fetch = ((address: string) => {
    requested.push(address);
    const [path = ''] = address.split('?');
    const missing = { statusCode: 404, code: 'not_found', message: 'This does not exist.' };
    const key = address in answers ? address : path;
    const body = key in answers ? answers[key] : missing;
    const { statusCode = 200 } = (body ?? {}) as { statusCode?: number };
    return Promise.resolve({
      ok: statusCode < 400,
      status: statusCode,
      statusText: '',
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify(body)),
    });
  }) as unknown as typeof globalThis.fetch;
  return requested;
}

/** Holds all requests from now on until `release`; `isAsked` after the first. */
export function holdRequests(): { isAsked: () => boolean; release: () => void } {
  const served = globalThis.fetch;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isAsked = false;
  globalThis.fetch = async (...request) => {
    isAsked = true;
    await released;
    return served(...request);
  };
  return { isAsked: () => isAsked, release };
}
