import { Slices } from '../platform/system/slices.js';
import { takeJson } from './json-fields.js';

const FIELDS = { 'messages.*.details': { characters: 100, depth: 3 } };

/** The details of a body after other code copied its lists and objects without some of their properties. */
async function taken(details: unknown): Promise<unknown> {
  const body = { messages: [{ details }] };
  const put = takeJson(body, FIELDS, new Slices());
  const request = structuredClone(body);
  await put(request);
  return request.messages[0]!.details;
}

it('leaves an empty value of the same kind for validation, and returns the list unchanged', async () => {
  for (const details of [[{ constructor: 'a', prototype: ['b'] }], { constructor: 'a' }]) {
    const body = { messages: [{ details: details as unknown }] };
    takeJson(body, FIELDS, new Slices());
    expect(body.messages[0]!.details).toEqual(Array.isArray(details) ? [] : {});
    expect(await taken(details)).toBe(details);
  }
  expect(await taken('text')).toBe('text');
});

it('refuses a list beyond its bounds', async () => {
  const refusal = 'details must have at most 100 characters of JSON in 3 levels';
  for (const details of [['x'.repeat(100)], [[[[]]]], JSON.parse('['.repeat(60) + ']'.repeat(60))])
    await expect(taken(details)).rejects.toThrow(refusal);
});
