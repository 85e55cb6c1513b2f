import { findLocalServer } from '../../src/providers/local-server.js';
import { type ProviderAccess, ProviderRegistry, type RoutedModel } from '../../src/providers/registry.js';
import { collectAnswer, requestOf, TEST_TIMINGS } from '../harness/collect-answer.js';
import { builtInConnections } from '../harness/built-in-connections.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';

const signal = new AbortController().signal;

let upstream: ScriptedUpstream;
let registry: ProviderRegistry;
beforeEach(async () => {
  upstream = await startUpstream();
  registry = new ProviderRegistry({ timings: TEST_TIMINGS, demoPace: Infinity, localServer: null });
});
afterEach(async () => {
  await registry.close();
  await upstream.close();
});

const here = (): ProviderAccess => ({ apiKey: null, baseUrl: upstream.url });
const withKey = (): ProviderAccess => ({ apiKey: 'sk-1', baseUrl: upstream.url });

const chat = (upstreamId: string): RoutedModel => ({ upstreamId, connectionId: null, kind: 'chat' });
const image = (upstreamId: string): RoutedModel => ({ upstreamId, connectionId: null, kind: 'image' });

describe('the choice of a provider', () => {
  it('is the demo without a configured provider', () => {
    expect(registry.demo).toBe(true);
    expect(registry.route(chat('openai/gpt-4o-mini'))).toMatchObject({
      provider: { name: 'demo' },
      model: 'openai/gpt-4o-mini',
    });
    expect(registry.route(image('gpt-image-1')).provider.name).toBe('demo');
  });

  it('is OpenRouter with the full model id, given a key or a base URL', () => {
    for (const openrouter of [{ apiKey: 'sk-or', baseUrl: null }, here()]) {
      registry.setConnections(builtInConnections({ openrouter, openai: { apiKey: 'sk-1', baseUrl: null } }));
      expect(registry.demo).toBe(false);
      expect(registry.route(chat('openai/gpt-4o-mini'))).toMatchObject({
        provider: { name: 'openrouter' },
        model: 'openai/gpt-4o-mini',
      });
    }
  });

  it('is OpenAI without the prefix of the model id if OpenRouter is not configured', () => {
    registry.setConnections(builtInConnections({ openai: here() }));
    expect(registry.route(chat('openai/gpt-4o-mini'))).toMatchObject({
      provider: { name: 'openai' },
      model: 'gpt-4o-mini',
    });
    expect(registry.route(chat('mistral/small')).model).toBe('mistral/small');
  });

  it('is OpenAI for pictures, else the demo', () => {
    registry.setConnections(builtInConnections({ openrouter: { apiKey: 'sk-or', baseUrl: null } }));
    expect(registry.route(image('openai/gpt-image-1')).provider.name).toBe('demo');
    registry.setConnections(
      builtInConnections({ openrouter: { apiKey: 'sk-or', baseUrl: null }, openai: { apiKey: 'sk-1', baseUrl: null } }),
    );
    expect(registry.route(image('openai/gpt-image-1'))).toMatchObject({
      provider: { name: 'openai' },
      model: 'gpt-image-1',
    });
  });

  it('treats an empty key as not set', () => {
    registry.setConnections(builtInConnections({ openrouter: { apiKey: '', baseUrl: '' } }));
    expect(registry.demo).toBe(true);
  });

  it('keeps the provider while its settings are unchanged', () => {
    registry.setConnections(builtInConnections({ openrouter: withKey() }));
    const { provider } = registry.route(chat('a'));
    registry.setConnections(builtInConnections({ openrouter: withKey(), openai: { apiKey: 'sk-2', baseUrl: null } }));
    expect(registry.route(chat('a')).provider).toBe(provider);
    registry.setConnections(builtInConnections({ openrouter: { ...withKey(), apiKey: 'sk-3' } }));
    expect(registry.route(chat('a')).provider).not.toBe(provider);
  });

  it('F34: lets a running answer finish after its provider was removed', async () => {
    registry.setConnections(builtInConnections({ openrouter: withKey() }));
    upstream.script({ steps: [{ text: 'one ' }, { wait: 50 }, { text: 'two' }, { finish: 'stop' }, { done: true }] });
    const { provider } = registry.route(chat('a'));
    const answer = await collectAnswer(provider, requestOf('Hi'), signal, () =>
      registry.setConnections(builtInConnections({})),
    );
    expect(answer).toMatchObject({ text: 'one two', error: null });
    expect(registry.demo).toBe(true);
  });
});

describe('a model server on this machine', () => {
  it('is found with its models and replaces the demo', async () => {
    const localServer = await findLocalServer({
      timeoutMs: 30_000,
      candidates: ['http://127.0.0.1:1/v1', upstream.url],
    });
    expect(localServer?.baseUrl).toBe(upstream.url);
    const local = new ProviderRegistry({ timings: TEST_TIMINGS, localServer });
    expect(local.demo).toBe(false);
    expect(local.localModels.map(({ id }) => id)).toContain('scripted/small');
    expect(local.route(chat('scripted/large'))).toMatchObject({ provider: { name: 'local' }, model: 'scripted/large' });
    expect(local.route(chat('unheard/of')).model).toBe('openai/gpt-4o-mini');
    local.setConnections(builtInConnections({ openrouter: withKey() }));
    expect(local.route(chat('scripted/large')).provider.name).toBe('openrouter');
    expect(local.localModels).toEqual([]);
    await local.close();
  });

  it('is not found on a closed port', async () => {
    expect(await findLocalServer({ timeoutMs: 30_000, candidates: ['http://127.0.0.1:1/v1'] })).toBeNull();
  });

  it('is not found if it stays silent', async () => {
    upstream.script({ on: 'models', delay: 60_000 });
    expect(await findLocalServer({ timeoutMs: 200, candidates: [upstream.url] })).toBeNull();
  });

  it('is not found if it lists no chat model', async () => {
    upstream.script({ on: 'models', body: '{"data":[{"id":"nomic-embed-text"}]}' });
    expect(await findLocalServer({ timeoutMs: 30_000, candidates: [upstream.url] })).toBeNull();
  });
});

describe('the catalogue', () => {
  it('is cached until the settings change', async () => {
    registry.setConnections(builtInConnections({ openrouter: here() }));
    const catalogue = await registry.catalogue();
    expect(catalogue.data).toContainEqual({
      id: 'scripted/small',
      name: 'SCRIPTED/SMALL',
      description: undefined,
      context_length: 16_384,
    });
    await registry.catalogue();
    expect(upstream.callsOf('models')).toHaveLength(1);
    registry.setConnections(builtInConnections({ openrouter: withKey() }));
    await registry.catalogue();
    expect(upstream.callsOf('models')).toHaveLength(2);
  });

  it('names an unnamed model by its id without the maker', async () => {
    registry.setConnections(builtInConnections({ openrouter: here() }));
    upstream.script({ on: 'models', body: '{"data":[{"id":"maker/claude-x","name":""},{"id":"plain"}]}' });
    const { data } = await registry.catalogue();
    expect(data.map(({ name }) => name)).toEqual(['claude-x', 'plain']);
  });

  it('is a typed error if the list is not JSON, and is requested again', async () => {
    registry.setConnections(builtInConnections({ openrouter: here() }));
    upstream.script({ on: 'models', body: '<html></html>', headers: { 'content-type': 'text/html' } });
    await expect(registry.catalogue()).rejects.toMatchObject({ code: 'provider_error' });
    expect((await registry.catalogue()).data.length).toBeGreaterThan(0);
  });

  it('is a typed error if the list does not arrive in time', async () => {
    const hasty = new ProviderRegistry({ timings: { ...TEST_TIMINGS, list: 200 }, localServer: null });
    hasty.setConnections(builtInConnections({ openrouter: here() }));
    upstream.script({ on: 'models', delay: 60_000 });
    await expect(hasty.catalogue()).rejects.toMatchObject({ code: 'provider_unreachable' });
    await hasty.close();
  });
});

describe('the connection test', () => {
  it('reports the problem or the number of models and never throws', async () => {
    expect(await registry.testConnection('openai')).toMatchObject({ ok: false });
    registry.setConnections(builtInConnections({ openai: withKey() }));
    expect(await registry.testConnection('openai')).toMatchObject({
      ok: true,
      models: 3,
      message: 'Connected. The provider lists 3 models.',
    });
    upstream.script({ on: 'models', status: 401, body: '{"error":{"message":"Incorrect API key provided: sk-1"}}' });
    expect(await registry.testConnection('openai')).toMatchObject({
      ok: false,
      fault: 'unauthorized',
      message: 'The provider refused the API key.',
    });
    upstream.script({ on: 'models', status: 404 });
    expect((await registry.testConnection('openai')).message).toContain('404');
  });
});
