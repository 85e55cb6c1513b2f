import { reportedUsage, usageOf } from './reported-usage.js';

describe('the usage that a provider reports', () => {
  it('has OpenRouter’s cost, and cached and reasoning tokens', () => {
    const usage = {
      prompt_tokens: 194,
      completion_tokens: 2,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 1 },
      cost: 0.00001425,
    };
    expect(reportedUsage(usage, 'openai/gpt-4o-2024-11-20')).toEqual({
      promptTokens: 194,
      completionTokens: 2,
      cachedTokens: 64,
      reasoningTokens: 1,
      cost: '0.00001425',
      model: 'openai/gpt-4o-2024-11-20',
    });
  });

  it('has the names of images', () => {
    expect(reportedUsage({ input_tokens: 9, output_tokens: 272 })).toEqual({ promptTokens: 9, completionTokens: 272 });
  });

  it.each([
    [null],
    [[]],
    ['7'],
    [{ prompt_tokens: 7 }],
    [{ prompt_tokens: 1.5, completion_tokens: 1 }],
    [{ prompt_tokens: 1, completion_tokens: 1e12 }],
  ])('is absent in %j', (usage) => {
    expect(reportedUsage(usage)).toBeNull();
  });

  it.each([[-1], ['-0.5'], [NaN], ['free'], [{}], [1e9]])('has no cost of %j', (cost) => {
    expect(reportedUsage({ prompt_tokens: 1, completion_tokens: 1, cost }, 'two words')).toEqual({
      promptTokens: 1,
      completionTokens: 1,
    });
  });
});

describe('the usage of a chunk', () => {
  const counts = { prompt_tokens: 1336, completion_tokens: 31 };
  const expected = { promptTokens: 1336, completionTokens: 31 };

  it.each([
    ['itself', { usage: counts }, {}],
    ['its choice', {}, { usage: counts }],
    ['Groq', { x_groq: { id: 'r', usage: counts } }, {}],
    ['its choice beside zeros', { usage: { prompt_tokens: 0, completion_tokens: 0 } }, { usage: counts }],
  ])('is that of %s', (_place, chunk, choice) => {
    expect(usageOf(chunk, choice)).toEqual(expected);
  });

  it.each([
    [{ cached_tokens: 1280 }],
    [{ prompt_cache_hit_tokens: 1280, prompt_cache_miss_tokens: 56 }],
    [{ prompt_tokens_details: { cached_tokens: 1280 } }],
    [{ cache_read_input_tokens: 1280 }],
  ])('has the cached tokens of %j', (more) => {
    expect(usageOf({ usage: { ...counts, ...more } }, null)).toEqual({ ...expected, cachedTokens: 1280 });
  });

  it('is none for a total alone', () => {
    expect(usageOf({ usage: { total_tokens: 1367 } }, null)).toBeNull();
  });
});
