import OpenAI, { NotFoundError } from 'openai';
import type { Answer } from '../harness/http-client.js';
import { ask, errorIn, failureOf, useOneCaller } from './public-api-harness.js';

const ORIGIN = 'https://other.example';
const ASKED = 'authorization,content-type,x-stainless-lang,x-stainless-timeout,idempotency-key';

const suite = useOneCaller();

const send = (method: string, path: string, headers: Record<string, string> = {}): Promise<Answer<unknown>> =>
  suite.harness.client().send(method, path, {
    headers: { Authorization: `Bearer ${suite.caller.key}`, Accept: 'application/json', ...headers },
    ...(method === 'POST' && { body: ask('Hello') }),
  });

describe('a page of another site', () => {
  it.each(['chat/completions', 'models', 'responses', 'embeddings', 'audio/transcriptions'])(
    'may call %s with any header, without cookies',
    async (path) => {
      const { status, headers } = await suite.harness.client().send('OPTIONS', `/api/v1/${path}`, {
        headers: {
          Origin: ORIGIN,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': ASKED,
        },
      });
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-headers')).toBe(ASKED);
      expect(headers.get('access-control-allow-methods')).toContain('POST');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
      expect(headers.getSetCookie()).toEqual([]);
    },
  );

  it('reads answers and errors with the headers of limits and of the request', async () => {
    const answers = [
      await send('GET', '/api/v1/models', { Origin: ORIGIN }),
      await send('GET', '/api/v1/models', { Origin: ORIGIN, Authorization: 'Bearer tk_wrong' }),
      await send('POST', '/api/v1/chat/completions', { Origin: ORIGIN }),
      await send('POST', '/api/v1/no-such-call', { Origin: ORIGIN }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 404]);
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-expose-headers')).toContain('x-request-id');
      expect(headers.has('access-control-allow-credentials')).toBe(false);
      expect(headers.getSetCookie()).toEqual([]);
    }
  });

  it('may read nothing that takes a cookie', async () => {
    const { cookieHeader: Cookie } = suite.caller.client;
    for (const path of ['/api/user', '/api/models', '/socket.io/?EIO=4&transport=polling', '/']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await suite.harness
          .client()
          .send(method, path, { headers: { Origin: ORIGIN, Cookie, 'Access-Control-Request-Method': 'GET' } });
        expect(headers.has('access-control-allow-origin')).toBe(false);
      }
    }
  });
});

it.each([
  ['that is cut', '{"model":'],
  ['with single quotes', "{'model': 'a'}"],
  ['with a number that JSON lacks', '{"temperature": NaN}'],
  ['that is a list', '[]'],
  ['that is null', 'null'],
  ['of 1.1 MB that is cut', `{"model": "${'x'.repeat(1_100_000)}`],
])('a body %s is refused as no JSON', async (_name, raw) => {
  const { key } = suite.caller;
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const { status, body } = await suite.harness.client().send('POST', '/api/v1/chat/completions', { headers, raw });
  expect([status, errorIn(body)]).toMatchObject([400, { code: 'invalid', param: null }]);
  expect(errorIn(body).message).toMatch(/no JSON object/);
});

describe('an address', () => {
  it.each([
    ['GET', '/api/v1/chat/completions', 'POST'],
    ['GET', '/api/v1/chat', 'POST'],
    ['GET', '/api/v1/responses', 'POST'],
    ['GET', '/api/v1/embeddings/', 'POST'],
    ['PUT', '/api/v1/messages', 'POST'],
    ['DELETE', '/api/v1/audio/transcriptions', 'POST'],
    ['POST', '/api/v1/models', 'GET, HEAD'],
    ['DELETE', '/api/v1/models/scripted/small', 'GET, HEAD'],
    ['POST', '/api/v1/responses/resp_1', 'GET, HEAD, DELETE'],
  ])('%s %s, which has other methods, is a 405 that names them', async (method, path, methods) => {
    const { status, body, headers } = await send(method, path);
    expect([status, headers.get('allow')]).toEqual([405, methods]);
    expect((body as { error: { type: string } }).error.type).toBe('invalid_request_error');
    expect((body as { error: { message: string } }).error.message).toContain(`takes ${methods}`);
  });

  it.each([
    ['GET', '/v1/models'],
    ['GET', '/models'],
    ['POST', '/v1/chat/completions'],
    ['GET', '/openai/v2/models'],
    ['POST', '/api/chat'],
    ['GET', '/api/tags'],
    ['GET', '/v1beta/models'],
    ['POST', '/v1beta/models/gemini-2.5-pro:generateContent'],
    ['POST', '/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21'],
    ['POST', '/chat/completions'],
    ['POST', '/responses/'],
    ['GET', '/responses/resp_1'],
    ['DELETE', '/api/responses/resp_1'],
    ['POST', '/api/v2/chat/completions'],
    ['GET', '/api/v1beta/models'],
    ['POST', '/v1/responses'],
    ['POST', '/embeddings'],
    ['POST', '/v1/embeddings'],
    ['POST', '/api/chat/completions'],
    ['GET', '/api/v1/v1/models'],
    ['POST', '/api/v1/v1/chat/completions'],
    ['POST', '//v1/chat/completions'],
    ['GET', '/V1/unknown'],
  ])('%s %s, below a wrong base URL, is a 404 that names the right one', async (method, path) => {
    for (const accept of ['application/json', '*/*']) {
      const { status, body, headers } = await send(method, path, { Accept: accept });
      expect([status, headers.getSetCookie()]).toEqual([404, []]);
      expect(errorIn(body)).toMatchObject({ type: 'invalid_request_error', code: 'not_found' });
      expect(errorIn(body).message).toContain(`${suite.harness.url}/api/v1`);
    }
  });

  it('without a call is a 404 for uploads too', async () => {
    const openai = new OpenAI({ apiKey: suite.caller.key, baseURL: `${suite.harness.url}/api/v1`, maxRetries: 0 });
    const file = new File(['sound'], 'a.wav');
    const error = await failureOf(openai.audio.translations.create({ model: 'whisper-1', file }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain('not part of the API');
  });

  it.each([
    ['POST', '/api/v1/chat/completions/'],
    ['POST', '//api/v1/chat/completions'],
    ['POST', '/api/v1//chat/completions'],
    ['POST', '/api/v1/chat//completions//'],
    ['HEAD', '/api/v1/models'],
    ['GET', '/api/v1/models/'],
    ['GET', '/api/v1/models/?client_version=1'],
    // Groq's client puts this before each call, whatever its base URL is.
    ['POST', '/openai/v1/chat/completions'],
    ['POST', '/api/openai/v1/chat/completions'],
    ['GET', '/api//openai/v1/models/'],
  ])('%s %s, with other slashes, works', async (method, path) => {
    const { status, headers } = await send(method, path);
    expect([status, headers.getSetCookie()]).toEqual([200, []]);
  });

  it('that a browser opens shows the page', async () => {
    const { headers } = await send('GET', '/v1/models', { Accept: 'text/html,application/xhtml+xml' });
    expect(headers.get('content-type')).not.toContain('json');
  });

  it.each(['', '/v1', '/api'])('of a client with the base URL …%s fails with the right one', async (path) => {
    const openai = new OpenAI({ apiKey: suite.caller.key, baseURL: `${suite.harness.url}${path}`, maxRetries: 0 });
    for (const call of [() => openai.chat.completions.create(ask('x')), () => openai.models.list()]) {
      const error = await failureOf(call());
      expect(error).toBeInstanceOf(NotFoundError);
      expect(error.message).toContain(`${suite.harness.url}/api/v1`);
    }
  });
});
