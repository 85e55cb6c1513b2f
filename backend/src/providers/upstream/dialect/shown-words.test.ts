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
  ['"authorization": "Basic dXNlcjpwYXNzd29yZA=="', '"authorization": "Basic …"'],
  ['authorization=abcdef123456', 'authorization=…'],
  ['POST https://admin:hunter2@proxy.internal:8080/v1 failed', 'POST https://…@proxy.internal:8080/v1 failed'],
  ['GET https://ghost-token@host/v1/models', 'GET https://…@host/v1/models'],
  ['https://host/v1beta/models?alt=sse&key=abcd1234 is wrong', 'https://host/v1beta/models?alt=sse&key=… is wrong'],
  ['blob?sv=2024&sig=aB%2Bc%3D&se=1 expired', 'blob?sv=2024&sig=…&se=1 expired'],
  ['OPENAI_API_KEY=abcdef123456 is no key', 'OPENAI_API_KEY=… is no key'],
  ["{'client_secret': 'abcdef', 'db_password':'abcdef'}", "{'client_secret': '…', 'db_password':'…'}"],
  ['x-goog-api-key: abcdef123456', 'x-goog-api-key: …'],
  ['ghs_0123456789abcdef and github_pat_11ABCDEF0123456789', '… and …'],
  ['Incorrect API key provided: abcd1234********wxyz.', 'Incorrect API key provided: ….'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY----- is bad', '… is bad'],
  ['-----BEGIN PRIVATE KEY-----\nMIIEvQ', '…'],
])('SET-7: masks the keys of %j', async (message, shown) => {
  expect(await said(message, {}, 'my-own-secret')).toBe(shown);
});

it.each([
  'max_tokens is too large: 100000. This model supports at most 4096 completion tokens.',
  "Invalid 'tools[0].function.name': string does not match pattern.",
  'Invalid value: "tool". Supported values are: "auto", "none".',
  'keyboard_interrupt_in_worker: Unexpected token: } in JSON, see https://host/docs?page=keys',
  'Basic authorization is required: 2 ** 3 is *not* **enough**',
])('leaves %j as it is', async (message) => {
  expect(await said(message, { max_tokens: 100_000, tools: [{ function: { name: 'a b' } }] })).toBe(message);
});

it('SET-7: masks the own key that is shown in part', async () => {
  const apiKey = 'Zx81-verysecret/0123456789';
  expect(await said('No such key: Zx81-verysec...', {}, apiKey)).toBe('No such key: …');
  expect(await said('(Zx81-ver****6789) and Zx81-verysecret/0123456789!', {}, apiKey)).toBe('(…) and …!');
  expect(await said('The Zx81 is a computer.', {}, apiKey)).toBe('The Zx81 is a computer.');
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

it('shows no beginning of a key at which a long message was cut', async () => {
  const begin = 'Incorrect API key: ';
  const cut = `${'x '.repeat(985)}${begin}${'sk-abcdefgh'}`.padStart(2_000, '.');
  expect((await said(cut)).endsWith(`${begin}…`)).toBe(true);
});
