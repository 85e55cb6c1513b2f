/** Replaces `fetch` in tests: answers by path, without the query; other paths get 404. Returns the requested addresses in order. */
export function serve(answers: Record<string, unknown>): string[] {
  const requested: string[] = [];
  globalThis.fetch = ((address: string) => {
    requested.push(address);
    const [path = ''] = address.split('?');
    const isAnswered = path in answers;
    const body = isAnswered ? answers[path] : { statusCode: 404, code: 'not_found', message: 'This does not exist.' };
    return Promise.resolve({
      ok: isAnswered,
      status: isAnswered ? 200 : 404,
      statusText: '',
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify(body)),
    });
  }) as unknown as typeof fetch;
  return requested;
}
