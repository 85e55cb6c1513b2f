import { AppError } from '../../platform/errors/app-error.js';
import { effortInOtherWords, refuseForCompletions } from './completion-request.js';

const paramOf = (work: () => unknown): string | undefined => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.details?.[0]?.field;
    throw error;
  }
  return undefined;
};

describe('refuseForCompletions', () => {
  it.each([
    ['functions', [{}]],
    ['prediction', { type: 'content' }],
    ['audio', {}],
    ['modalities', ['text', 'audio']],
  ])('refuses %s by name with the value %j', (field, value) => {
    expect(paramOf(() => refuseForCompletions({ [field]: value }))).toBe(field);
  });

  it('accepts defaults, null and absent fields', () => {
    const defaults = { tools: [], tool_choice: 'none', n: 1, response_format: { type: 'text' }, modalities: ['text'] };
    expect(() => refuseForCompletions(defaults)).not.toThrow();
    expect(() => refuseForCompletions({ tools: null, n: undefined, seed: 7 })).not.toThrow();
  });
});

it('reads the effort of OpenRouter, where it is known and no other one is given', () => {
  const effortIn = (reasoning: unknown, more: object = {}) =>
    effortInOtherWords({ messages: [], ...more }, { reasoning });
  expect(effortIn({ effort: 'low', exclude: true })).toBe('low');
  expect(effortIn({ effort: 'low' }, { reasoning_effort: 'high' })).toBeUndefined();
  for (const other of [undefined, null, 'low', { effort: 'huge' }, { exclude: true }, []])
    expect(effortIn(other)).toBeUndefined();
});

it('reads the switch of llama.cpp', () => {
  const effortIn = (reasoning: unknown) => effortInOtherWords({ messages: [] }, { reasoning });
  expect([effortIn(false), effortIn(true)]).toEqual(['none', 'medium']);
});
