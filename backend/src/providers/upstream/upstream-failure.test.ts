import { causeOf } from '../provider-cause.js';
import { ProviderError } from '../provider-error.js';
import { detailOfFailure, failureOf, failureOfEvent, failureOfResponse } from './upstream-failure.js';

it.each([
  [{ code: 'ECONNREFUSED' }, 'provider_unreachable'],
  [{ code: 'ENOTFOUND' }, 'provider_unreachable'],
  [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'provider_unreachable'],
  [{ code: 'UND_ERR_SOCKET' }, 'provider_unreachable'],
  [{ code: 'HPE_INVALID_CONSTANT' }, 'provider_error'],
  [{ code: 'UND_ERR_INVALID_ARG' }, 'provider_error'],
  [new SyntaxError('Unexpected token'), 'provider_error'],
  [undefined, 'provider_error'],
] as const)('converts %p to %s', (error, code) => {
  expect(failureOf(error)).toMatchObject({ code });
});

it('returns a ProviderError unchanged', () => {
  const failure = new ProviderError('provider_refused');
  expect(failureOf(failure)).toBe(failure);
});

it.each([
  [{ code: 401 }, 'provider_auth'],
  [{ code: '402' }, 'provider_credit'],
  [{ code: 403, metadata: { reasons: ['violence'] } }, 'provider_refused'],
  [{ type: 'overloaded_error' }, 'provider_busy'],
  [{ code: 'content_filter' }, 'provider_refused'],
  [{ code: '1002', message: 'rate limit' }, 'provider_busy'],
  [{ code: '1008', message: 'insufficient balance' }, 'provider_credit'],
  [{ status_code: 1008, status_msg: 'insufficient balance' }, 'provider_credit'],
  [{ code: 'context_length_exceeded', message: 'too long' }, 'provider_context'],
  [{ code: 413 }, 'provider_context'],
  [{ code: 7, message: { nested: true } }, 'provider_error'],
  [
    { type: 'exceed_context_size_error', message: 'the request exceeds the available context size' },
    'provider_context',
  ],
  [{ message: 'when context the overflows. The model is loaded with context length of only 4096' }, 'provider_context'],
  // The name alone, as gateways pass it on.
  ['data_inspection_failed', 'provider_refused'],
  ['AccountQuotaExceeded', 'provider_credit'],
  ['TooManyRequests', 'provider_busy'],
  ['Throttling.RateQuota', 'provider_busy'],
  ['InvalidApiKey', 'provider_auth'],
  ['context_length_exceeded', 'provider_context'],
  ['InternalServerError', 'provider_error'],
  // Vercel's gateway, of an error that it could not read.
  [
    {
      code: 'error',
      message: 'Stream error occurred',
      cause: { name: 'ZodError', message: '[]' },
      value: {
        error_type: 'validation_error',
        error_message: '{"error":{"message":"This model\'s maximum context length is 4096 tokens."}}',
      },
    },
    'provider_context',
  ],
  // Alibaba, Volcengine, Z.AI, MiniMax, DeepSeek, LiteLLM.
  [{ code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.' }, 'provider_refused'],
  [{ code: 'AccountQuotaExceeded', type: 'TooManyRequests', message: 'It will reset at 6 pm.' }, 'provider_credit'],
  [{ code: '1302', message: '您当前使用该 API 的并发数过高' }, 'provider_busy'],
  [{ code: '1305', message: '该模型当前访问量过大，请您稍后再试' }, 'provider_busy'],
  [{ status_code: 1004, status_msg: 'login fail: please carry the API secret key' }, 'provider_auth'],
  [{ status_code: 1027, status_msg: 'output new_sensitive (1027)' }, 'provider_refused'],
  [{ message: 'Content Exists Risk' }, 'provider_refused'],
  [{ message: 'Incorrect API key provided: sk-1' }, 'provider_auth'],
  [{ message: 'litellm.RateLimitError: x' }, 'provider_busy'],
  [{ message: 'System is too busy now. Please try again later.' }, 'provider_busy'],
  [{ message: 'Service temporarily unavailable' }, 'provider_error'],
  [null, 'provider_error'],
] as const)('converts the error object %j to %s', (error, code) => {
  expect(failureOfEvent(error)).toMatchObject({ code });
});

it.each(['model is not loaded', { message: 'No models loaded' }, { code: '1211', message: '模型不存在' }])(
  'takes the error %j without a status for a model that the provider does not have',
  (error) => expect(failureOfEvent(error).message).toBe('The model provider does not offer this model.'),
);

it.each(['invalid_api_key', 'insufficient_quota', 'too many requests', 'model not found'])(
  'takes the name %s in a request for nothing that its server says',
  (name) => {
    const schema = `Invalid schema for function 'f': In context=('properties', '${name}'), array schema missing items.`;
    for (const error of [
      { message: schema },
      { message: `Invalid value: '${name}'.`, type: 'invalid_request_error', param: 'tools[0].function.name' },
      { message: `GenerateContentRequest.tools[0].function_declarations[0].name: ${name}`, code: 400 },
      { message: `Invalid image: ${name}`, param: 'messages[0].content[1].image_url.url' },
      { message: `tools.0.custom.name: '${name}' is too short`, type: 'invalid_request_error' },
    ])
      expect(failureOfResponse(400, {}, JSON.stringify({ error }))).toMatchObject({
        code: 'provider_refused',
        status: 400,
      });
  },
);

const BILLING = 'Rate limit reached. Visit https://example.org/account/billing to add a payment method.';
const PLAN = 'You exceeded your current quota, please check your plan and billing details.';

it.each([
  [{ code: 'rate_limit_exceeded', message: BILLING }, undefined, 'provider_busy'],
  [{ type: 'rate_limit_error', message: PLAN }, undefined, 'provider_busy'],
  [{ message: BILLING }, undefined, 'provider_busy'],
  [{ message: PLAN }, '30', 'provider_busy'],
  [{ message: PLAN }, undefined, 'provider_credit'],
  // Gateways and Google, of a rate that is lower without a payment.
  [{ message: 'Too many requests. Add a valid credit card to raise your limit.' }, undefined, 'provider_busy'],
  [{ message: 'The free tier quota of this minute is exhausted.' }, undefined, 'provider_busy'],
  [{ code: 'insufficient_quota', message: PLAN }, '30', 'provider_credit'],
  [{ type: 'exceeded_current_quota_error', message: 'suspended' }, undefined, 'provider_credit'],
  [{ code: 'billing_not_active', message: 'x' }, undefined, 'provider_credit'],
  // OpenAI, of a request that no minute has room for.
  [
    { code: 'rate_limit_exceeded', message: 'Request too large: Limit 30000, Requested 45000.' },
    undefined,
    'provider_context',
  ],
  [{ code: 'rate_limit_exceeded', message: 'Limit 30000, Used 29000, Requested 2000.' }, undefined, 'provider_busy'],
] as const)('converts the 429 %j with Retry-After %p to %s', (error, retryAfter, code) => {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
  expect(failureOfResponse(429, headers, JSON.stringify({ error }))).toMatchObject({ code });
});

it.each([
  // Anthropic, Alibaba, Volcengine, Zhipu.
  [400, { type: 'invalid_request_error', message: 'Your credit balance is too low to access the API.' }, 'credit'],
  [400, { code: 'Arrearage', message: 'Make sure your account is in good standing.' }, 'credit'],
  // Anthropic, of a limit that its customer has set; LiteLLM.
  [400, { type: 'invalid_request_error', message: 'You have reached your specified API usage limits.' }, 'credit'],
  [400, { message: 'You have reached your specified workspace API usage limits.' }, 'credit'],
  [400, { type: 'budget_exceeded', message: 'Budget has been exceeded! Current cost: 10.2' }, 'credit'],
  [403, { code: 'AccountOverdueError', message: 'Your account has an overdue balance.' }, 'credit'],
  // xAI, Alibaba, Vercel.
  [403, { code: 'x', message: "Your newly created team doesn't have any credits or licenses yet." }, 'credit'],
  [403, { code: 'AllocationQuota.FreeTierOnly', message: 'The free tier of the model has been exhausted.' }, 'credit'],
  [403, { message: 'The free tier of the model has been exhausted.' }, 'credit'],
  [
    403,
    { message: 'AI Gateway requires a valid credit card on file.', type: 'customer_verification_required' },
    'credit',
  ],
  // New API, Fireworks.
  [403, { type: 'new_api_error', code: 'pre_consume_token_quota_failed', message: 'need quota: 0.5' }, 'credit'],
  [412, { message: 'Account a is suspended, possibly due to reaching the monthly spending limit.' }, 'credit'],
  [429, { code: '1113', message: '余额不足或无可用资源包,请充值。' }, 'credit'],
  // Gemini, xAI.
  [400, { code: 400, message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] }, 'auth'],
  [400, { message: 'Incorrect API key provided: xa***ey.' }, 'auth'],
  [400, { message: 'API key expired. Please renew the API key.', status: 'INVALID_ARGUMENT' }, 'auth'],
  [400, { message: 'User location is not supported for the API use.', status: 'FAILED_PRECONDITION' }, 'auth'],
  [400, { message: 'API Key not found. Please pass a valid API key.', status: 'INVALID_ARGUMENT' }, 'auth'],
  [400, { message: 'Please pass a valid API key' }, 'auth'],
  [400, { message: 'Your API key was reported as leaked. Please use another API key.' }, 'auth'],
  [400, { message: 'Authentication Error, Invalid proxy server token passed.' }, 'auth'],
  [400, { code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, 'auth'],
  [400, { message: '无效的令牌' }, 'auth'],
  [403, { code: 403, message: 'Key limit exceeded (total limit). Manage it in the settings.' }, 'credit'],
  [498, { message: 'Flex tier capacity exceeded' }, 'busy'],
  [400, { message: "This model's maximum prompt length is 131072 but the request contains 200000 tokens." }, 'context'],
  [400, { message: 'The input token count (12) exceeds the maximum number of tokens allowed (10).' }, 'context'],
  [400, { message: 'Input is too long for requested model.' }, 'context'],
  [400, { message: 'Range of input length should be [1, 30720]' }, 'context'],
  [500, { message: 'input (596 tokens) is too large to process. increase the physical batch size' }, 'context'],
  [422, { message: '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens' }, 'context'],
  [400, { message: 'The decoder prompt (length 4097) is longer than the maximum model length of 4096.' }, 'context'],
  [400, { message: 'Input tokens exceed the configured limit of 272000 tokens.' }, 'context'],
  [400, { message: 'input length and `max_tokens` exceed context limit: 188000 + 21333 > 200000' }, 'context'],
  [400, { code: '1261', message: 'Prompt exceeds max length' }, 'context'],
  [400, { message: 'length of prompt_tokens (34053) must be less than max_seq_len (32768).' }, 'context'],
  [400, { message: 'Prompt length 4200 is greater than max_seq_len 4096' }, 'context'],
  [400, { message: 'Total tokens of image and text exceed max message tokens.' }, 'context'],
  [400, { message: 'the number of input tokens 5000 cannot exceed the total tokens limit 4096' }, 'context'],
  [400, { message: 'Prompt tokens too long: 40000' }, 'context'],
  [
    400,
    { message: 'The sum of prompt length (9.0), query length (0) should not exceed max_num_tokens (8)' },
    'context',
  ],
  [400, { message: 'max_tokens must be at least 1, got -5.' }, 'context'],
  [400, { message: 'max_tokens must be at least 1, got 0.' }, 'refused'],
  [400, { code: '1261', message: 'Prompt 超长' }, 'context'],
  [400, { message: '输入长度超过模型最大长度限制' }, 'context'],
  [400, { message: 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.' }, 'context'],
  [500, { message: 'ThrottlingException: Too many tokens per day, please wait.' }, 'busy'],
  // Gateways, of what the provider behind them answered.
  [500, { code: 429, message: 'upstream' }, 'busy'],
  [502, { message: 'Provider returned error', code: 'rate_limit_exceeded' }, 'busy'],
  [503, { message: 'Rate limit reached for requests' }, 'busy'],
  [500, { message: 'litellm.RateLimitError: VertexAIException - x' }, 'busy'],
  [500, { code: 'insufficient_user_quota', message: '用户额度不足' }, 'credit'],
  [500, { message: 'You exceeded your current quota, please check your plan.' }, 'credit'],
  [502, { code: 401, message: 'upstream' }, 'auth'],
  [500, { code: 400, message: 'temperature is out of range' }, 'error'],
  [400, { type: 'overloaded_error', message: 'x' }, 'busy'],
  [400, { message: 'The engine is currently overloaded, please try again later' }, 'busy'],
  [400, { message: 'Rate limit exceeded' }, 'busy'],
  [400, { message: `Invalid value: ${'x'.repeat(300)} the server is overloaded` }, 'refused'],
  [503, { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' }, 'error'],
  [529, { type: 'overloaded_error', message: 'Overloaded' }, 'error'],
  [400, { message: 'Please reduce the length of the messages or completion.' }, 'context'],
  [400, { message: 'Your request exceeded model token limit: 262144' }, 'context'],
  [500, { message: 'the request exceeds the available context size' }, 'context'],
  [400, { message: 'This model does not support tools. No function was found.' }, 'refused'],
  [403, { message: 'Content violates usage guidelines.' }, 'refused'],
  [400, { message: 'max_tokens is too large: 100000. This model supports at most 16384.' }, 'refused'],
  [503, { message: 'Loading model' }, 'error'],
  [500, { message: 'image input is not supported - hint: you may need to provide the mmproj' }, 'refused'],
  [500, { message: 'Jinja Exception: Only user and assistant roles are here' }, 'refused'],
  [500, { message: 'The server had an error while processing your request.' }, 'error'],
])('converts the %i %j to provider_%s', (status, error, code) => {
  expect(failureOfResponse(status, {}, JSON.stringify({ error }))).toMatchObject({ code: `provider_${code}` });
});

it.each([
  // OpenRouter, DeepSeek, Mistral, Groq, OpenAI, gateways.
  [400, { message: 'deepseek/x is not a valid model ID' }],
  [400, { message: 'Model Not Exist', type: 'invalid_request_error' }],
  [400, { message: 'Invalid model: mistral-x', type: 'invalid_model', code: '1500' }],
  [400, { message: 'The model `x` has been retired.', code: 'model_decommissioned' }],
  [400, { message: 'The requested model "x-1" does not exist.', code: 'model_not_found' }],
  [400, { message: 'No model found: x' }],
  // LiteLLM, LM Studio, Copilot, Bedrock, Volcengine, Z.AI.
  [400, { message: "{'error': '/chat/completions: Invalid model name passed in model=x. Call `/v1/models`'}" }],
  [400, { message: 'Model "x" is not loaded.' }],
  [400, { message: 'No models loaded. Please load a model in the developer page.' }],
  [400, { message: 'The requested model is not supported.', code: 'model_not_supported' }],
  [400, { message: 'The provided model identifier is invalid.' }],
  [400, { message: 'x', code: 'InvalidEndpointOrModel.NotFound' }],
  [400, { message: '模型不存在，请检查模型代码。', code: '1211' }],
  [422, { message: 'model x/y:free not found' }],
  // OpenAI, Groq, Bedrock, GitHub; a gateway.
  [403, { code: 'model_not_found', message: 'Project `p` does not have access to model `x`' }],
  [403, { message: 'Project `p` does not have access to model `x`' }],
  [403, { code: 'model_permission_blocked_org', message: 'The model `x` is blocked at the organization level.' }],
  [403, { message: "You don't have access to the model with the specified model ID." }],
  [403, { code: 'no_access', message: 'No access to model: x' }],
  [502, { code: 403, message: 'Project `p` does not have access to model `x`' }],
])('takes the %i %j for a model that the provider does not have', (status, error) => {
  const failure = failureOfResponse(status, {}, JSON.stringify({ error }));
  expect(failure).toMatchObject({ code: 'provider_error', status: 404 });
  expect(failure.message).toBe('The model provider does not offer this model.');
  expect(causeOf(failure)).toContain('check the id of the model');
});

it.each([
  // OpenAI, Ollama, Anthropic, Gemini, Azure, OpenRouter, Fireworks, vLLM.
  { code: 'model_not_found', message: 'The model `x` does not exist or you do not have access to it.' },
  { message: "model 'x' not found" },
  { type: 'not_found_error', message: 'model: x' },
  { message: 'models/x is not found for API version v1beta.', status: 'NOT_FOUND' },
  { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' },
  { message: 'No endpoints found for x.' },
  { code: 'NOT_FOUND', message: 'Model not found, inaccessible, and/or not deployed' },
  { type: 'NotFoundError', message: 'The model `x` does not exist.' },
])('tells the admin of the model, not of the path, after the 404 %j', (error) => {
  const failure = failureOfResponse(404, {}, JSON.stringify({ error }));
  expect(causeOf(failure)).toContain('check the id of the model');
});

it.each([
  [{ 'retry-after': '12' }, 'Limit 6000, Requested 7000', { code: 'provider_busy', retryAfter: 12 }],
  [{}, 'Limit 6000, Used 5000, Requested 2000. Please try again in 10s.', { code: 'provider_busy', retryAfter: 10 }],
  [{}, 'Limit 6000, Requested 2000', { code: 'provider_busy' }],
  // A minute never has as many, however long one waits.
  [{}, 'Limit 6000, Requested 12328, please reduce your message size', { code: 'provider_context' }],
] as const)('converts a 413 of tokens per minute with %j and %j to %j', (headers, words, failure) => {
  const message = `Request too large for model x on tokens per minute (TPM): ${words}`;
  const body = JSON.stringify({ error: { message, type: 'tokens', code: 'rate_limit_exceeded' } });
  expect(failureOfResponse(413, headers, body)).toMatchObject(failure);
});

it('reads the delay in the body of an answer that has no Retry-After', () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.07s' }];
  const body = JSON.stringify([{ error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED', details } }], null, 2);
  expect(failureOfResponse(429, {}, body)).toMatchObject({ code: 'provider_busy', retryAfter: 35 });
  expect(failureOfResponse(429, { 'retry-after': '7' }, body)).toMatchObject({ retryAfter: 7 });
});

it.each([
  ['Rate limit reached. Limit 100000, Used 99000. Please try again in 7.66s. Visit the console.', 8],
  ['Rate limit reached for requests per day. Please try again in 1h2m3s.', 3_723],
  ['Please try again in 14m24s', 864],
  ['Please try again in 6ms.', 1],
  ['You exceeded your current quota, please check your plan. Please retry in 34.07s.', 35],
  ['Please try again in a moment.', undefined],
  ['Please try again later.', undefined],
])('reads the delay in the words of a 429: %s', (message, retryAfter) => {
  const body = JSON.stringify({ error: { message } });
  expect(failureOfResponse(429, {}, body)).toMatchObject({ code: 'provider_busy', retryAfter });
});

describe('a page in place of an error', () => {
  const page = (title: string): string =>
    `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>…</body></html>`;

  it.each([
    [403, page('Just a moment...'), { code: 'provider_error', status: 403 }],
    [403, 'error code: 1020', { code: 'provider_error', status: 403 }],
    [404, page('404 Not Found'), { code: 'provider_error', status: 404 }],
    [401, page('401 Authorization Required'), { code: 'provider_auth' }],
    [413, page('413 Request Entity Too Large'), { code: 'provider_context' }],
    [524, page('api.example.org | 524: A timeout occurred'), { code: 'provider_error', status: 524 }],
  ])('of status %i says nothing of the key or the model: %s', (status, body, expected) => {
    const failure = failureOfResponse(status, {}, body);
    expect(failure).toMatchObject(expected);
    expect(failure.message).not.toContain('does not offer this model');
    expect(detailOfFailure(failure).message).not.toContain('<');
  });
});

it('takes an account without credit for one although its server names the end of a window', () => {
  const failure = failureOfResponse(429, { 'ratelimit-reset': '30' }, '{"error":{"message":"Insufficient balance"}}');
  expect(failure.code).toBe('provider_credit');
});

it('reads the delay that a page of status 429 comes with', () => {
  const failure = failureOfResponse(429, { 'retry-after': '60' }, '<!DOCTYPE html><title>Too many requests</title>');
  expect(failure).toMatchObject({ code: 'provider_busy', retryAfter: 60 });
});

it.each([
  [503, { 'retry-after': '2' }, '{"error":{"message":"Loading model"}}', 2],
  [529, { 'retry-after-ms': '1500' }, '{"error":{"type":"overloaded_error"}}', 2],
  [502, { 'retry-after': '30' }, '<!DOCTYPE html><title>Bad gateway</title>', 30],
  [503, {}, '{"error":{"message":"The model is loading. Please try again in 20s."}}', 20],
  [503, { 'x-ratelimit-reset': '60' }, '{"error":{"message":"Loading model"}}', undefined],
  [503, { 'x-ratelimit-reset': '60' }, '<!DOCTYPE html><title>Bad gateway</title>', undefined],
  [500, { 'retry-after': '2' }, '{"error":{"message":"internal"}}', undefined],
])('reads the delay that a %i with %j states: %s', (status, headers, body, retryAfter) => {
  expect(failureOfResponse(status, headers, body)).toMatchObject({ code: 'provider_error', retryAfter });
});

it.each([{ detail: 'Not Found' }, '404 page not found', 'Cannot POST /v1/chat/completions'])(
  'takes a 404 %j for an address that the server does not have',
  (body) => {
    const failure = failureOfResponse(404, {}, typeof body === 'string' ? body : JSON.stringify(body));
    expect(failure).toMatchObject({ code: 'provider_error', status: 404 });
    expect(failure.message).not.toContain('does not offer this model');
    expect(causeOf(failure)).toContain('check the path');
  },
);

it.each(['', { error: 'Unexpected endpoint or method. (GET /v1/models)' }])(
  'tells the admin of the path after the 404 %j, which names no model',
  (body) => {
    const failure = failureOfResponse(404, {}, typeof body === 'string' ? body : JSON.stringify(body));
    expect(causeOf(failure)).toContain('check the path');
  },
);
