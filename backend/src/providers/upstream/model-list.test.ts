import { modelsOf } from './model-list.js';

describe('modelsOf', () => {
  it.each([
    ['in data', { object: 'list', data: [{ id: 'a' }] }],
    ['in models', { models: [{ id: 'a' }] }],
    ['alone', [{ id: 'a' }]],
    ['among entries of other shapes', [null, 7, '', { name: 3 }, { id: 'a' }]],
    ['as a text', ['a']],
    ['in an envelope', { code: 0, data: { object: 'list', data: [{ id: 'a' }] } }],
    ['in a result', { success: true, result: { models: [{ id: 'a' }] } }],
    ['by another name of the id', { data: [{ model_name: 'a', litellm_params: {} }] }],
    ['by its key', { models: [{ type: 'llm', key: 'a', display_name: 'A' }] }],
    ['by its name', { models: [{ name: 'a', displayName: 'A' }] }],
  ])('reads a list %s', (_name, list) => {
    expect(modelsOf(list).map(({ id }) => id)).toEqual(['a']);
  });

  it.each([
    ['Groq', { active: false }],
    ['Copilot', { policy: { state: 'disabled', terms: 'x' } }],
    ['Volcengine', { status: 'Shutdown' }],
    ['a gateway', { enabled: false }],
    ['another gateway', { disabled: true }],
  ])('leaves out a model that is off, as of %s', (_, fields) => {
    const on = { active: true, enabled: true, disabled: false, policy: { state: 'enabled' }, status: 'Retiring' };
    const entries = [
      { id: 'off', ...fields },
      { id: 'a', ...on },
      { id: 'b', state: 'not-loaded', deprecated: true },
    ];
    expect(modelsOf(entries).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('has the name that is shown', () => {
    const entries = [
      { id: 'a', display_name: 'A' },
      { id: 'b', name: 'B' },
      { name: 'models/c', displayName: 'C' },
    ];
    expect(modelsOf(entries).map(({ id, name }) => [id, name])).toEqual([
      ['a', 'A'],
      ['b', 'B'],
      ['models/c', 'C'],
    ]);
  });

  it('reads the empty list of Ollama', () => {
    expect(modelsOf({ object: 'list', data: null })).toEqual([]);
  });

  it.each([null, {}, { data: {} }, { data: null }, 'x'])('refuses %j', (answer) => {
    expect(() => modelsOf(answer)).toThrow();
  });

  it('has the error in place of a list', () => {
    const list = { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } };
    expect(() => modelsOf(list)).toThrow(expect.objectContaining({ code: 'provider_auth' }));
  });

  it('reads the context length under any name and ignores values out of range', () => {
    const fields = [
      { context_length: 8192 },
      { max_model_len: 4096 },
      { context_length: 100, context_window: 2048 },
      { max_input_tokens: 200_000, max_tokens: 64_000 },
      { context_length: 100 },
      { context_length: 0 },
      { context_length: 1e9 },
      { context_length: '8192' },
      { context_length: 'many' },
      { metadata: { context_length: 4096 } },
      { meta: { n_ctx_train: 131_072, n_ctx: 8192 } },
      { limits: { max_input_tokens: 5000 } },
      { capabilities: { limits: { max_context_window_tokens: 128_000, max_prompt_tokens: 64_000 } } },
      { max_context_length: 131_072, loaded_context_length: 4096 },
      { context_size: 8192, max_context: 4096 },
      { meta: null, limits: [] },
    ];
    const models = modelsOf({ data: fields.map((field, index) => ({ id: `model-${index}`, ...field })) });
    expect(models.map(({ contextLength }) => contextLength)).toEqual([
      8192,
      4096,
      2048,
      200_000,
      ...[null, null, null],
      8192,
      null,
      ...[4096, 8192, 5000, 128_000, 4096, 8192],
      null,
    ]);
  });

  it('has texts that can be stored, and leaves out an id that cannot', () => {
    const hostile = { name: 'Small\0\ud83d', description: '\udc00 one' };
    const models = modelsOf([{ id: 'a\0' }, { id: 'b\ud83d' }, { id: 'c', ...hostile }]);
    expect(models).toMatchObject([{ id: 'c', name: 'Small\ufffd', description: '\ufffd one' }]);
  });
});
