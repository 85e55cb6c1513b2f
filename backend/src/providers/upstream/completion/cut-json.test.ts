import { closeCutJson } from './cut-json.js';

const contentOf = (json: string): unknown =>
  (JSON.parse(json) as { choices: { delta: { content: unknown } }[] }).choices[0]?.delta.content;

it('keeps the beginning of a string for every cut inside it', () => {
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

it('keeps complete values before a cut outside of strings', () => {
  const whole =
    '{ "id": "x,{", "choices": [{"delta": {"content": "Hello"}, "logprobs": [{"t\\"": -0.25, "b": [72, true]}, {}]}], "n": 1}';
  const from = whole.indexOf('"Hello"') + '"Hello"'.length;
  for (let cut = from; cut <= whole.length; cut += 1)
    expect(contentOf(closeCutJson(whole.slice(0, cut)))).toBe('Hello');
  expect(closeCutJson(whole.slice(0, whole.indexOf('25,')))).toMatch(/"logprobs": \[\{\}\]\}\]\}$/);
  expect(closeCutJson(whole)).toBe(whole);
});

it('keeps backslashes before a cut', () => {
  const text = '\\'.repeat(1_000);
  const start = `{"choices":[{"delta":{"content":${JSON.stringify(text)}`.slice(0, -1);
  expect(contentOf(closeCutJson(start))).toBe(text);
  expect(contentOf(closeCutJson(`${start}\\`))).toBe(text);
});

it.each(['no JSON at all {"', '}}}"', '', '['.repeat(1_000)])('gives no valid JSON for %s', (start) => {
  expect(() => JSON.parse(closeCutJson(start)) as unknown).toThrow(SyntaxError);
});
