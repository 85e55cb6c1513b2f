import { parseArguments } from './define-tool.js';

const SCHEMA = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 10 }, count: { type: 'integer', minimum: 1 } },
  required: ['text'],
  additionalProperties: false,
};

const deep = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { value };
  return value;
};

describe('parseArguments', () => {
  it('returns arguments that match, without null and characters that cannot be stored', () => {
    expect(parseArguments(SCHEMA, { text: 'a\0\ud800', count: null })).toEqual({ args: { text: 'a\ufffd' } });
  });

  it.each([
    [undefined],
    [null],
    [[]],
    ['text'],
    [7],
    [{}],
    [{ text: 1 }],
    [{ text: 'x'.repeat(11) }],
    [{ text: 'x', count: 0 }],
    [{ text: 'x', count: 1.5 }],
    [{ text: 'x', other: 1 }],
    [{ text: 'x', ['__proto__x']: {} }],
    [{ text: 'x'.repeat(40_000) }],
    [deep(10_000)],
    [{ text: 10n }],
    [() => 'x'],
  ])('refuses other arguments, case %#', (given) => {
    expect(parseArguments(SCHEMA, given)).toEqual({ problem: expect.stringMatching(/^The arguments /) });
  });

  it('names the field that does not match', () => {
    expect(parseArguments(SCHEMA, { text: 'x', count: 0 })).toEqual({
      problem: 'The arguments are not valid: count: 0 is less than 1.',
    });
    expect(parseArguments(SCHEMA, { text: 'x', timezone: 'Asia/Jakarta' })).toEqual({
      problem: 'The arguments are not valid: there is no field timezone.',
    });
    expect(parseArguments(SCHEMA, {})).toEqual({
      problem: 'The arguments are not valid: Instance does not have required property "text".',
    });
  });
});
