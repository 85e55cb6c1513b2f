import { parseJson, readMessages } from './rpc-messages.js';
import { isLostBody } from './server-failure.js';

const ASKED = { id: 7, method: 'tools/call' };
/** Cannot be made into a text or a number. */
const ODD = { toString: null, valueOf: null };

it.each([[7], ['7']])('takes the answer to the call, with the id %j', (id) => {
  expect(readMessages([{ id, result: {} }], ASKED)).toHaveLength(1);
});

it.each([[8], [''], [true], [[7]], [ODD]])('takes no answer with the id %j', (id) => {
  expect(readMessages([{ id, result: {} }], ASKED)).toEqual([]);
});

it.each([[undefined], [null]])('takes an answer with the id %j only where no other can be meant', (id) => {
  const message = { id, error: { code: -32700, message: 'Parse error' } };
  expect(readMessages([message], ASKED)).toHaveLength(1);
  const among = { ...ASKED, isAmongOthers: true };
  expect(readMessages([message, { id: 7, result: {} }], among)).toEqual([{ jsonrpc: '2.0', id: 7, result: {} }]);
});

it('reads an error of any shape', () => {
  expect(isLostBody(JSON.stringify({ id: 7, error: { code: ODD, message: ODD } }))).toBe(false);
  expect(isLostBody(JSON.stringify({ id: 7, error: { code: -32600, message: 'Session not found' } }))).toBe(true);
});

it('repairs a short answer alone, and reads long ones line by line', () => {
  const long = 'x'.repeat(300_000);
  expect(parseJson('{"id":7,"result":{"n":NaN}}').values).toEqual([{ id: 7, result: { n: null } }]);
  expect(() => parseJson(`{"id":7,"result":{"text":"${long}","n":NaN}}`)).toThrow(SyntaxError);
  expect(parseJson(`{"method":"m"}\n{"id":7,"result":{"text":"${long}"}}`).values).toHaveLength(2);
});
