import { findLocalServer } from '../../src/providers/local-server.js';
import { ProviderRegistry, type ProviderAccess } from '../../src/providers/registry.js';
import { collectAnswer, requestOf, SHORT_TIMINGS } from '../harness/collect-answer.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';

const signal = new AbortController().signal;
const NONE: ProviderAccess = { apiKey: null, baseUrl: null };

let upstream: ScriptedUpstream;
let registry: ProviderRegistry;
beforeEach(async () => {
  upstream = await startUpstream();
  registry = new ProviderRegistry({ timings: SHORT_TIMINGS, demoPace: Infinity, localServer: null });
});
afterEach(async () => {
  await registry.close();
  await upstream.close();
});

const here = (): ProviderAccess => ({ apiKey: null, baseUrl: upstream.url });
const withKey = (): ProviderAccess => ({ apiKey: 'sk-1', baseUrl: upstream.url });

describe('who answers', () => {
  it('is the demo while nothing is set', () => {
    expect(registry.demo).toBe(true);
    expect(registry.forChat('openai/gpt-4o-mini')).toMatchObject({
      provider: { name: 'demo' },
      model: 'openai/gpt-4o-mini',
    });
    expect(registry.forImages('gpt-image-1').provider.name).toBe('demo');
  });

  it('is OpenRouter with the whole model id, by key or by base URL', () => {
    for (const openrouter of [{ apiKey: 'sk-or', baseUrl: null }, here()]) {
      registry.configure({ openrouter, openai: { apiKey: 'sk-1', baseUrl: null } });
      expect(registry.demo).toBe(false);
      expect(registry.forChat('openai/gpt-4o-mini')).toMatchObject({
        provider: { name: 'openrouter' },
        model: 'openai/gpt-4o-mini',
      });
    }
  });

  it('is OpenAI without its prefix where OpenRouter is not set', () => {
    registry.configure({ openrouter: NONE, openai: here() });
    expect(registry.forChat('openai/gpt-4o-mini')).toMatchObject({
      provider: { name: 'openai' },
      model: 'gpt-4o-mini',
    });
    expect(registry.forChat('mistral/small').model).toBe('mistral/small');
  });

  it('is always OpenAI for pictures, else the demo', () => {
    registry.configure({ openrouter: { apiKey: 'sk-or', baseUrl: null }, openai: NONE });
    expect(registry.forImages('openai/gpt-image-1').provider.name).toBe('demo');
    registry.configure({ openrouter: { apiKey: 'sk-or', baseUrl: null }, openai: { apiKey: 'sk-1', baseUrl: null } });
    expect(registry.forImages('openai/gpt-image-1')).toMatchObject({
      provider: { name: 'openai' },
      model: 'gpt-image-1',
    });
  });

  it('takes an empty key for none', () => {
    registry.configure({ openrouter: { apiKey: '', baseUrl: '' }, openai: NONE });
    expect(registry.demo).toBe(true);
  });

  it('keeps a provider as long as its settings stay', () => {
    registry.configure({ openrouter: withKey(), openai: NONE });
    const { provider } = registry.forChat('a');
    registry.configure({ openrouter: withKey(), openai: { apiKey: 'sk-2', baseUrl: null } });
    expect(registry.forChat('a').provider).toBe(provider);
    registry.configure({ openrouter: { ...withKey(), apiKey: 'sk-3' }, openai: NONE });
    expect(registry.forChat('a').provider).not.toBe(provider);
  });

  it('F34: lets a running answer finish when its provider is taken away', async () => {
    registry.configure({ openrouter: withKey(), openai: NONE });
    upstream.script({ steps: [{ text: 'one ' }, { wait: 50 }, { text: 'two' }, { finish: 'stop' }, { done: true }] });
    const { provider } = registry.forChat('a');
    const answer = await collectAnswer(provider, requestOf('Hi'), signal, () =>
      registry.configure({ openrouter: NONE, openai: NONE }),
    );
    expect(answer).toMatchObject({ text: 'one two', error: null });
    expect(registry.demo).toBe(true);
  });
});

describe('a model server on this machine', () => {
  it('is found with its models, and answers instead of the demo', async () => {
    const localServer = await findLocalServer({ timeoutMs: 500, candidates: ['http://127.0.0.1:1/v1', upstream.url] });
    expect(localServer?.baseUrl).toBe(upstream.url);
    const local = new ProviderRegistry({ timings: SHORT_TIMINGS, localServer });
    expect(local.demo).toBe(false);
    expect(local.localModels.map(({ id }) => id)).toContain('scripted/small');
    expect(local.forChat('scripted/large')).toMatchObject({ provider: { name: 'local' }, model: 'scripted/large' });
    expect(local.forChat('unheard/of').model).toBe('openai/gpt-4o-mini');
    local.configure({ openrouter: withKey(), openai: NONE });
    expect(local.forChat('scripted/large').provider.name).toBe('openrouter');
    expect(local.localModels).toEqual([]);
    await local.close();
  });

  it('is not found where nothing listens, nothing answers in time, or nothing chats', async () => {
    upstream.script({ on: 'models', delay: 60_000 }, { on: 'models', body: '{"data":[{"id":"nomic-embed-text"}]}' });
    for (const candidates of [[], ['http://127.0.0.1:1/v1'], [upstream.url], [upstream.url]]) {
      expect(await findLocalServer({ timeoutMs: 200, candidates })).toBeNull();
    }
  });
});

describe('the catalogue', () => {
  it('is fetched once and kept, until the settings change', async () => {
    registry.configure({ openrouter: here(), openai: NONE });
    const catalogue = await registry.catalogue(signal);
    expect(catalogue.data).toContainEqual({
      id: 'scripted/small',
      name: 'SCRIPTED/SMALL',
      description: undefined,
      context_length: 16_384,
    });
    await registry.catalogue(signal);
    expect(upstream.callsOf('models')).toHaveLength(1);
    registry.configure({ openrouter: withKey(), openai: NONE });
    await registry.catalogue(signal);
    expect(upstream.callsOf('models')).toHaveLength(2);
  });

  it('names a model without a name by what follows its maker', async () => {
    registry.configure({ openrouter: here(), openai: NONE });
    upstream.script({ on: 'models', body: '{"data":[{"id":"maker/claude-x","name":""},{"id":"plain"}]}' });
    const { data } = await registry.catalogue(signal);
    expect(data.map(({ name }) => name)).toEqual(['claude-x', 'plain']);
  });

  it('is a typed error when the list cannot be had, and is asked for again', async () => {
    registry.configure({ openrouter: here(), openai: NONE });
    upstream.script(
      { on: 'models', body: '<html></html>', headers: { 'content-type': 'text/html' } },
      { on: 'models', delay: 60_000 },
    );
    await expect(registry.catalogue(signal)).rejects.toMatchObject({ code: 'provider_error' });
    await expect(registry.catalogue(signal)).rejects.toMatchObject({ code: 'provider_unreachable' });
    expect((await registry.catalogue(signal)).data.length).toBeGreaterThan(0);
  });
});

describe('the connection test', () => {
  it('says what is wrong or how many models there are, and never throws', async () => {
    expect(await registry.testConnection('openai', signal)).toMatchObject({ ok: false });
    registry.configure({ openrouter: NONE, openai: withKey() });
    expect(await registry.testConnection('openai', signal)).toEqual({
      ok: true,
      message: 'Connected. The provider lists 3 models.',
    });
    upstream.script({ on: 'models', status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-1"}}' });
    expect(await registry.testConnection('openai', signal)).toEqual({
      ok: false,
      message: 'The provider refused the API key.',
    });
    upstream.script({ on: 'models', status: 404 });
    expect((await registry.testConnection('openai', signal)).message).toContain('404');
  });
});
