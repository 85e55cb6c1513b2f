/** Answers the page's reads in tests: what each path gives, the query left out. Returns what was asked for, in order. */
export function serve(answers: Record<string, unknown>): string[] {
  const asked: string[] = [];
  globalThis.fetch = ((address: string) => {
    asked.push(address);
    const [path = ''] = address.split('?');
    const isKnown = path in answers;
    const body = isKnown ? answers[path] : { statusCode: 404, code: 'not_found', message: 'This does not exist.' };
    return Promise.resolve({
      ok: isKnown,
      status: isKnown ? 200 : 404,
      statusText: '',
      headers: { get: () => null },
      text: () => Promise.resolve(JSON.stringify(body)),
    });
  }) as unknown as typeof fetch;
  return asked;
}
