import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { OpenAiCompatibleProvider } from '../../src/providers/upstream/openai-compatible.provider.js';
import { ProviderRegistry } from '../../src/providers/registry.js';
import { builtInConnections } from '../harness/built-in-connections.js';
import { collectAnswer, requestOf, TEST_TIMINGS } from '../harness/collect-answer.js';
import { echoText, PNG_BASE64 } from '../harness/scripted-answers.js';
import { startUpstream, type ScriptedUpstream } from '../harness/scripted-upstream.js';

const signal = new AbortController().signal;
const REFUSED = {
  name: 'ProviderError',
  code: 'provider_error',
  message: 'The model is not available right now (configuration). Please contact the administrator.',
};

let upstream: ScriptedUpstream;
let port: string;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  upstream = await startUpstream();
  ({ port } = new URL(upstream.url));
});
afterEach(async () => {
  await upstream.close();
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A resolver that gives the next answer at each call, and the last one from then on. */
function resolver(...answers: string[][]): LookupFunction {
  return (_hostname, options, callback) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    const addresses: LookupAddress[] = (answer ?? []).map((address) => ({ address, family: 4 }));
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]?.address ?? '', 4);
  };
}

interface Target {
  baseUrl: string;
  mayBePrivate?: boolean;
  lookup?: LookupFunction;
}

function connect({ baseUrl, mayBePrivate = true, lookup }: Target): OpenAiCompatibleProvider {
  const timings = TEST_TIMINGS;
  const provider = new OpenAiCompatibleProvider({
    name: 'openai',
    baseUrl,
    mayBePrivate,
    apiKey: 'sk',
    timings,
    lookup,
  });
  open.push(provider);
  return provider;
}

async function errorOf(target: Target): Promise<unknown> {
  const { error, text } = await collectAnswer(connect(target), requestOf('Hi'));
  expect(text).toBe('');
  expect(upstream.calls).toEqual([]);
  return error;
}

describe('a configured base URL', () => {
  it.each(['http://127.0.0.1:PORT/v1', 'http://localhost:PORT/v1', 'http://2130706433:PORT/v1'])(
    'may lead to this machine: %s',
    async (baseUrl) => {
      const answer = await collectAnswer(connect({ baseUrl: baseUrl.replace('PORT', port) }), requestOf('Hi'));
      expect(answer).toMatchObject({ error: null, text: echoText('Hi', 40) });
    },
  );

  it('may be a name with a private or loopback address, as in a container network', async () => {
    const provider = connect({ baseUrl: `http://ollama:${port}/v1`, lookup: resolver(['127.0.0.1']) });
    const answer = await collectAnswer(provider, requestOf('Hi'));
    expect(answer).toMatchObject({ error: null, text: echoText('Hi', 40) });
  });

  it.each([
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[fd00:ec2::254]',
    '[fe80::1]',
    '100.100.100.200',
  ])('SSRF-2: never leads to a metadata or link-local address: %s', async (host) => {
    expect(await errorOf({ baseUrl: `http://${host}/v1` })).toMatchObject({
      ...REFUSED,
      adminMessage: expect.stringContaining('never contacted'),
    });
  });

  it('SSRF-4: is refused when its name resolves to the metadata service', async () => {
    const error = await errorOf({ baseUrl: `http://models.example:${port}/v1`, lookup: resolver(['169.254.169.254']) });
    expect(error).toMatchObject({
      ...REFUSED,
      adminMessage:
        'models.example resolves to 169.254.169.254. Link-local and cloud metadata addresses are never contacted.',
    });
  });

  it('SSRF-4: connects only to the allowed addresses of a name that has several', async () => {
    const lookup = resolver(['169.254.169.254', '127.0.0.1', 'fd00:ec2::254']);
    const answer = await collectAnswer(
      connect({ baseUrl: `http://mixed.example:${port}/v1`, lookup }),
      requestOf('Hi'),
    );
    expect(answer.error).toBeNull();
  });

  it('SSRF-4: is checked again at each connection, so rebinding the name is refused', async () => {
    const lookup = resolver(['127.0.0.1'], ['169.254.169.254']);
    const provider = connect({ baseUrl: `http://rebound.example:${port}/v1`, lookup });
    upstream.script({
      headers: { connection: 'close' },
      steps: [{ text: 'first' }, { finish: 'stop' }, { done: true }],
    });
    expect(await collectAnswer(provider, requestOf('Hi'))).toMatchObject({ error: null, text: 'first' });
    expect((await collectAnswer(provider, requestOf('Hi'))).error).toMatchObject(REFUSED);
    expect(upstream.calls).toHaveLength(1);
  });
});

describe('a base URL that is built in', () => {
  it.each([
    { host: '127.0.0.1' },
    { host: '10.0.0.1' },
    { host: 'localhost' },
    { host: 'hijacked.example', addresses: ['127.0.0.1'] },
    { host: 'hijacked.example', addresses: ['100.64.0.1'] },
  ])('SSRF-4: leads to public addresses only: %j', async ({ host, addresses }) => {
    const lookup = addresses && resolver(addresses);
    expect(await errorOf({ baseUrl: `http://${host}:${port}/v1`, mayBePrivate: false, lookup })).toMatchObject({
      ...REFUSED,
      adminMessage: expect.stringContaining('not public'),
    });
  });
});

describe('a picture that a provider names by URL', () => {
  const draw = (target: Target, url: string): Promise<unknown> => {
    upstream.script(
      { on: 'images', body: JSON.stringify({ data: [{ url }] }) },
      { on: 'other', base64Body: PNG_BASE64 },
    );
    return connect(target).generateImage({ model: 'gpt-image-1', prompt: 'a cat' }, signal);
  };

  it('is downloaded from the host and port of the base URL', async () => {
    const own = { baseUrl: `http://images.lan:${port}/v1`, lookup: resolver(['127.0.0.1']) };
    await expect(draw(own, `http://images.lan:${port}/picture.png`)).resolves.toMatchObject({ type: 'image/png' });
  });

  it('SSRF-4: is refused on another host with a private address', async () => {
    const own = { baseUrl: `http://images.lan:${port}/v1`, lookup: resolver(['127.0.0.1']) };
    await expect(draw(own, `http://other.lan:${port}/picture.png`)).rejects.toMatchObject(REFUSED);
    expect(upstream.callsOf('other')).toEqual([]);
  });

  it('SSRF-4: is refused on its own host once the name resolves to the metadata service', async () => {
    const lookup = resolver(['127.0.0.1'], ['169.254.169.254']);
    const own = { baseUrl: `http://images.lan:${port}/v1`, lookup };
    await expect(draw(own, `http://images.lan:${port}/latest/meta-data`)).rejects.toMatchObject(REFUSED);
    expect(upstream.callsOf('other')).toEqual([]);
  });
});

describe('the connection test', () => {
  it('shows an admin why an address is refused', async () => {
    const registry = new ProviderRegistry({ timings: TEST_TIMINGS, localServer: null });
    open.push(registry);
    registry.setConnections(builtInConnections({ openai: { apiKey: null, baseUrl: 'http://169.254.169.254/v1' } }));
    expect(await registry.testConnection('openai')).toMatchObject({
      fault: 'address_forbidden',
      ok: false,
      message: '169.254.169.254. Link-local and cloud metadata addresses are never contacted.',
    });
  });
});
