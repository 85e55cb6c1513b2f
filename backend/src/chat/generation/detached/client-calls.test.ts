import { API_LIMITS, LIMITS } from '@tanya/contract';
import { ClientCalls } from './detached-answer.js';

const piece = (index: number, json: string, id?: string | null) => ({
  type: 'tool-call-delta' as const,
  index,
  ...(id !== undefined && { start: { id, name: 'add' } }),
  json,
});

it('gives each call an id of its own and passes its pieces on', () => {
  const calls = new ClientCalls();
  const ids = ['a', 'a', null, '', 'x y', 'functions.add:0'].map((id, index) => {
    const passed = calls.append(piece(index, '{', id));
    expect(passed).toMatchObject({ type: 'client-call', index, json: '{', start: { name: 'add' } });
    return passed!.start!.id;
  });
  expect(new Set(ids).size).toBe(ids.length);
  expect([ids[0], ids[5]]).toEqual(['a', 'functions.add:0']);
  expect(ids.every((id) => /^\S+$/.test(id))).toBe(true);
  expect(calls.append(piece(0, '}'))).toEqual({ type: 'client-call', index: 0, json: '}' });
  expect(calls.all[0]).toEqual({ id: 'a', name: 'add', arguments: '{}' });
});

it('keeps a long id, and replaces one that a request must not have', () => {
  const calls = new ClientCalls();
  const signed = `call_a__thought__${'x+/='.repeat(500)}`;
  calls.append(piece(0, '{}', signed));
  calls.append(piece(1, '{}', 'x'.repeat(API_LIMITS.toolCallId + 1)));
  expect(calls.all.map(({ id }) => id)).toEqual([signed, expect.stringMatching(/^\w{1,64}$/)]);
});

it('cuts the arguments of all calls at the limit of an answer', () => {
  const calls = new ClientCalls();
  calls.append(piece(0, 'x'.repeat(LIMITS.answerCharacters - 1), 'a'));
  expect(calls.isCut).toBe(false);
  expect(calls.append(piece(1, 'xyz', 'b'))).toMatchObject({ json: 'x' });
  expect([calls.isCut, calls.append(piece(1, 'more'))]).toEqual([true, null]);
  expect(calls.all.map((call) => call.arguments.length)).toEqual([LIMITS.answerCharacters - 1, 1]);
});

it('drops the calls that the provider has run itself', () => {
  const calls = new ClientCalls();
  for (const [index, id] of ['a', 'b', 'c'].entries()) calls.append(piece(index, '{}', id));
  calls.withdraw([0, 2]);
  expect([calls.all.map(({ id }) => id), calls.count]).toEqual([['b'], 1]);
  calls.append(piece(3, '{}', 'd'));
  calls.append(piece(1, ' '));
  expect(calls.all.map((call) => [call.id, call.arguments])).toEqual([
    ['b', '{} '],
    ['d', '{}'],
  ]);
});
