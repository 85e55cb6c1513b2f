import { closeCutJson } from './cut-json.js';

const contentOf = (json: string): unknown =>
  (JSON.parse(json) as { choices: { delta: { content: unknown } }[] }).choices[0]?.delta.content;

it('gives a beginning of the text wherever the cut falls inside it', () => {
  const text = 'Say "hi" \\ \\\\ {[]} \u0001 tab\t 日本語 🙏 end';
  const escaped = JSON.stringify(text).replaceAll('日', '\\u65e5');
  const before = '{"id":"a\\"b","choices":[{"index":0,"delta":{"content":';
  const whole = `${before}${escaped}}}]}`;
  for (let cut = before.length + 1; cut < before.length + escaped.length - 1; cut += 1) {
    const content = contentOf(closeCutJson(whole.slice(0, cut)));
    expect(text.startsWith(content as string)).toBe(true);
    expect((content as string).length).toBeGreaterThan((cut - before.length) / 6 - 7);
  }
});

it.each(['{"choices":[{"del', '{"choices":[{"delta":', 'no JSON at all {"', '{"a":tr', '}}}"'])(
  'makes nothing of %s',
  (start) => {
    expect(() => JSON.parse(closeCutJson(start)) as unknown).toThrow(SyntaxError);
  },
);
