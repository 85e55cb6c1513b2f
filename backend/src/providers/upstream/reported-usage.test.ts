import { laterUsage, reportedUsage, usageOf } from './reported-usage.js';

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

  it.each([
    [
      'a list',
      [
        { prompt_tokens: 1, completion_tokens: 0 },
        { prompt_tokens: 9, completion_tokens: 27 },
      ],
    ],
    ['a text of JSON', '{"prompt_tokens": 9, "completion_tokens": 27}'],
  ])('is read in %s', (_, usage) => {
    expect(usageOf({ usage }, null)).toEqual({ promptTokens: 9, completionTokens: 27 });
  });

  it.each([[[]], [[7]], ['{"prompt_tokens": 9,'], ['none']])('is none in %j', (usage) => {
    expect(usageOf({ usage }, null)).toBeNull();
  });

  it('has the names of images', () => {
    expect(reportedUsage({ input_tokens: 9, output_tokens: 272 })).toEqual({ promptTokens: 9, completionTokens: 272 });
  });

  it.each([
    ['beside those written (xAI)', { completion_tokens_details: { reasoning_tokens: 94 }, total_tokens: 135 }, 103, 94],
    ['in the total alone (Gemini)', { total_tokens: 135 }, 103, 94],
    ['among those written (OpenAI)', { completion_tokens_details: { reasoning_tokens: 5 }, total_tokens: 41 }, 9, 5],
    ['against the total', { completion_tokens_details: { reasoning_tokens: 5 }, total_tokens: 90 }, 9, 5],
    ['in no way', { total_tokens: 41 }, 9, undefined],
    ['below a total too small', { total_tokens: 9 }, 9, undefined],
    [
      'beside those of a cache (Anthropic)',
      { cache_read_input_tokens: 0, cache_creation_input_tokens: 500, total_tokens: 541 },
      9,
      undefined,
    ],
  ])('counts tokens of reasoning %s', (_place, more, completionTokens, reasoningTokens) => {
    const usage = reportedUsage({ prompt_tokens: 32, completion_tokens: 9, ...more });
    const { cachedTokens: _, ...counts } = usage!;
    expect({ reasoningTokens: undefined, ...counts }).toEqual({ promptTokens: 32, completionTokens, reasoningTokens });
  });

  it.each([
    ['Perplexity', { cost: { input_tokens_cost: 0.00002, request_cost: 0.006, total_cost: 0.00635 } }, '0.00635'],
    ['DeepInfra', { estimated_cost: 0.0000268 }, '0.0000268'],
    ['xAI', { cost_in_usd_ticks: 232_856_000 }, '0.0232856'],
    ['OpenRouter', { cost: 0.0014, is_byok: false, cost_details: { upstream_inference_cost: 0.0014 } }, '0.0014'],
    [
      'OpenRouter with a key of its customer',
      { cost: 0, is_byok: true, cost_details: { upstream_inference_cost: 0.0360795 } },
      '0.0360795',
    ],
    [
      'OpenRouter with such a key and a fee',
      { cost: 0.0018, is_byok: true, cost_details: { upstream_inference_cost: 0.0360795 } },
      '0.0378795',
    ],
    [
      'OpenRouter with such a key, whose provider names none',
      { cost: 0.0018, is_byok: true, cost_details: { upstream_inference_cost: null } },
      '0.0018',
    ],
  ])('has the cost of %s', (_provider, more, cost) => {
    expect(reportedUsage({ prompt_tokens: 1, completion_tokens: 1, ...more })).toMatchObject({ cost });
  });

  it.each([{}, { completion_tokens: null }])('has the tokens written in the total alone: %j', (more) => {
    expect(reportedUsage({ prompt_tokens: 5, total_tokens: 9, ...more })).toEqual({
      promptTokens: 5,
      completionTokens: 4,
    });
    expect(reportedUsage({ prompt_tokens: 5, total_tokens: 5, ...more })).toBeNull();
    expect(reportedUsage({ prompt_tokens: 5, total_tokens: 25, cache_read_input_tokens: 20, ...more })).toBeNull();
  });

  it('may have its counts as texts', () => {
    expect(reportedUsage({ prompt_tokens: '1336', completion_tokens: '31' })).toEqual({
      promptTokens: 1336,
      completionTokens: 31,
    });
  });

  it('only grows when it is reported again', () => {
    const [first, last] = [
      { promptTokens: 1336, completionTokens: 1, cachedTokens: 5 },
      { promptTokens: 0, completionTokens: 31, cost: '1' },
    ];
    expect(laterUsage(first, last)).toEqual({ promptTokens: 1336, completionTokens: 31, cachedTokens: 5, cost: '1' });
    expect(laterUsage(null, last)).toEqual(last);
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
    ['its delta', {}, { delta: { usage: counts } }],
    ['its message', {}, { message: { usage: counts } }],
    ['gateways in JavaScript', { usage: { promptTokens: 1336, completionTokens: 31, totalTokens: 1367 } }, {}],
    ['Gemini', { usageMetadata: { promptTokenCount: 1336, candidatesTokenCount: 31, totalTokenCount: 1367 } }, {}],
    ['Ollama', { prompt_eval_count: 1336, eval_count: 31 }, {}],
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

  it('is that of llama.cpp, which has the cached tokens beside those that it read', () => {
    const timings = { cache_n: 1280, prompt_n: 56, prompt_ms: 9.5, predicted_n: 31 };
    expect(usageOf({ timings }, null)).toEqual({ ...expected, cachedTokens: 1280 });
    expect(usageOf({ timings, usage: counts }, null)).toEqual(expected);
    expect(usageOf({ timings: { predicted_n: 31 } }, null)).toBeNull();
  });

  it('has the reasoning of Gemini, which its answer does not count', () => {
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 7, totalTokenCount: 22 };
    expect(usageOf({ usageMetadata }, null)).toEqual({ promptTokens: 10, completionTokens: 12, reasoningTokens: 7 });
  });

  it('is none for a total alone', () => {
    expect(usageOf({ usage: { total_tokens: 1367 } }, null)).toBeNull();
  });
});
