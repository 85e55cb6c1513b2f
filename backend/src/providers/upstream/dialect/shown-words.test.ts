import { shownWords } from './shown-words.js';

const said = async (message: string, request: unknown = {}, apiKey: string | null = null): Promise<string> =>
  (await shownWords({ message }, () => request, apiKey)).message ?? '';

it.each([
  ['Incorrect API key provided: sk-proj-abc123def456ghi.', 'Incorrect API key provided: ….'],
  ['Header "Authorization: Bearer abcdef123456" is wrong', 'Header "Authorization: Bearer …" is wrong'],
  ['{"api_key":"0123456789abcdef"}', '{"api_key":"…"}'],
  ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_def is expired', 'token … is expired'],
  ['tk_0123456789012345678901234567890123456789012 failed', '… failed'],
  ['my-own-secret was refused', '… was refused'],
])('SET-7: masks the keys of %j', async (message, shown) => {
  expect(await said(message, {}, 'my-own-secret')).toBe(shown);
});

it.each([
  'max_tokens is too large: 100000. This model supports at most 4096 completion tokens.',
  "Invalid 'tools[0].function.name': string does not match pattern.",
  'Invalid value: "tool". Supported values are: "auto", "none".',
])('leaves %j as it is', async (message) => {
  expect(await said(message, { max_tokens: 100_000, tools: [{ function: { name: 'a b' } }] })).toBe(message);
});

const QUESTION = 'My doctor says that the results of the test are "bad".\nWhat do I tell my wife?';

it.each([
  ['as a text', `Invalid content: ${QUESTION} (type=value_error)`, 'Invalid content: … (type=value_error)'],
  ['as JSON', `Invalid content: ${JSON.stringify(QUESTION)}.`, 'Invalid content: ….'],
  ['in part', `Bad: ${QUESTION.slice(3, 50)} is wrong`, 'Bad:… is wrong'],
])('replaces a quotation of the request %s', async (_form, message, shown) => {
  expect(await said(message, { messages: [{ role: 'user', content: QUESTION }] })).toBe(shown);
});

it('keeps a quotation of less than 40 characters', async () => {
  const message = `Refused: ${QUESTION.slice(0, 39)}!`;
  expect(await said(message, { messages: [{ content: QUESTION }] })).toBe(message);
});

it('finds quotations across the pieces of a long request, and in long repetitions', async () => {
  const content = `${'a'.repeat(3_000_000)}${QUESTION}${'b'.repeat(1_000_000)}`;
  const message = `${'a'.repeat(200)} | ${QUESTION} | ${'b'.repeat(200)}`;
  expect(await said(message, { content })).toBe('… | … | …');
});

it('has nothing of a provider that said nothing', async () => {
  expect(await shownWords({ message: ' ', status: 400 }, () => ({}), null)).toEqual({});
});

it.each([
  ['\u001b[31mRed\u001b[0m alert\u0007\u0000', 'Red alert'],
  ['key sk-\u001b[1mabcdefghij\u001b[0mklmnop', 'key …'],
  ['safe\u202egnp.exe\u2066', 'safegnp.exe'],
  ['two\nlines\tand\u009b2Ja tab', 'two\nlines\tanda tab'],
])('SET-7: shows no control characters: %j', async (message, shown) => {
  expect(await said(message)).toBe(shown);
});

it('shows no begin of a key at which a long message was cut', async () => {
  const begin = 'Incorrect API key: ';
  const cut = `${'x '.repeat(985)}${begin}${'sk-abcdefgh'}`.padStart(2_000, '.');
  expect((await said(cut)).endsWith(`${begin}…`)).toBe(true);
});
