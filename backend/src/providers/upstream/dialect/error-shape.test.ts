import { detailOf, errorIn, errorWithin } from './error-shape.js';

it.each([
  { object: 'error', message: 'engine died', type: 'InternalServerError', param: null, code: 500 },
  { detail: 'engine died' },
  { detail: [{ loc: ['body'], msg: 'bad', type: 'value_error' }] },
  { code: 400, details: 'too long' },
  { type: 'error', message: 'x' },
  { error: 'out of memory' },
  { error: { message: 'x', code: null } },
  [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'x' } }],
  { errors: [{ message: 'x' }], success: false, result: null },
  { error_code: 110, error_msg: 'x' },
  { base_resp: { status_code: 1004, status_msg: 'x' } },
  { choices: [], base_resp: { status_code: 1004, status_msg: 'x' } },
  { message: 'Internal server error' },
  { status: 503, title: 'x' },
  { choices: [{ delta: {}, error: { code: 502, message: 'x' } }] },
  { choices: [{ delta: { content: 'x' } }], error: { message: 'x' } },
  { exception: 'x' },
  { Error: 'x' },
  { ERROR: { message: 'x' } },
  { errcode: 40001, errmsg: 'x' },
  { error_code: 18 },
  { internalServerException: { message: 'x' } },
  { __type: 'ThrottlingException' },
  { failure: 'x' },
  { traceback: 'Traceback (most recent call last)' },
  { Message: 'Endpoint request timed out' },
  { choices: [], error_message: 'x' },
  { choices: [], detail: 'x' },
  { choices: [], status: 500, message: 'x' },
  { choices: [{ delta: { error: 'x' } }] },
  { choices: [{ delta: { content: null }, message: { error: 'x' } }] },
])('finds the error in %j', (chunk) => {
  expect(errorIn(chunk)).not.toBeNull();
});

it.each([
  { choices: [{ delta: { content: 'x' } }], error: '' },
  { choices: [{ delta: { content: 'x' } }], error: null, code: 7 },
  { choices: [{ delta: { content: 'x' } }], error: { message: '', code: null } },
  { choices: [], base_resp: { status_code: 0, status_msg: '' } },
  { choices: [], prompt_filter_results: [] },
  { usage: { prompt_tokens: 1, completion_tokens: 1 }, message: 'x' },
  { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' },
  { type: 'ping' },
  { default: 'x', error_code: '0', errors: 0, is_error: false, last_error: null },
  { choices: [], model: 'm', service_tier: 'default', usage: null },
  { type: 'ping', message: 'still here' },
  { choices: [], state: 'default' },
  { choices: [], event: 'failover' },
  { choices: [], message: 'You are third in the queue' },
  { code: 0, message: 'ok' },
  { code: 200, message: 'success', data: null },
  { status: 'processing', message: 'queued' },
  {},
  [],
  null,
  'error',
])('finds none in %j', (chunk) => {
  expect(errorIn(chunk)).toBeNull();
});

it.each([
  [
    { error: { message: 'No.', type: 'a', param: 'stop', code: 'b' } },
    { message: 'No.', type: 'a', param: 'stop', code: 'b' },
  ],
  [
    { detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] },
    { message: 'stream_options: Extra inputs are not permitted', param: 'stream_options', type: 'extra_forbidden' },
  ],
  [
    { object: 'error', message: { detail: [{ loc: ['body', 'seed'], msg: 'no' }] }, code: 422 },
    { message: 'seed: no', param: 'seed', code: '422', status: 422 },
  ],
  [
    {
      error: { message: 'Provider returned error', code: 400, metadata: { raw: '{"error":{"message":"No tools."}}' } },
    },
    { message: 'No tools.', code: '400', status: 400 },
  ],
  [[{ error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } }], { message: 'x', status: 429 }],
  ['Error: {"error":{"message":"inner"}}', { message: 'inner' }],
  ['plain', { message: 'plain' }],
  [{ error: 'plain' }, { message: 'plain' }],
  [{ code: 7, message: '' }, { code: '7' }],
  [null, {}],
  // Laravel and ASP.NET, and Django.
  [
    { message: 'Validation error', errors: { stream_options: ['is not allowed'] } },
    { message: 'stream_options: is not allowed', param: 'stream_options' },
  ],
  [{ stream_options: ['Unknown field.'] }, { message: 'stream_options: Unknown field.', param: 'stream_options' }],
])('reads %j', (error, detail) => {
  expect(detailOf(error)).toMatchObject(detail);
});

it.each([
  [{ header: { code: 10013, message: 'x' } }, { code: 10013, message: 'x' }],
  [{ data: { error: 'x' } }, { error: 'x' }],
  [{ header: { code: 0, message: 'Success' } }, null],
  [{ choices: [{ delta: {} }], header: { code: 10013 } }, null],
  [{ conversation_id: 'x', context: { intent: 'x' }, done: true }, null],
  [{ sources: [{ error: 'x' }], metadata: { state: 'default' } }, null],
  [[], null],
])('finds the error within %j', (chunk, error) => {
  expect(errorWithin(chunk)).toEqual(error);
});
