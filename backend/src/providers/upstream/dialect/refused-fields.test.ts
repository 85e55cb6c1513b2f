import { detailOf } from './error-shape.js';
import { refusedFields, withoutRefused } from './refused-fields.js';

const BODY = {
  model: 'm',
  stream_options: { include_usage: true },
  parallel_tool_calls: false,
  max_tokens: 5,
  seed: 1,
};
const NONE = new Set<string>();

it.each([
  [400, { detail: "Extra parameters ['stream_options'] are not allowed" }, ['stream_options']],
  [422, { detail: [{ loc: ['body', 'stream_options'], msg: 'Extra inputs are not permitted' }] }, ['stream_options']],
  [400, { error: { message: 'No.', param: 'parallel_tool_calls' } }, ['parallel_tool_calls']],
  [500, { error: "create() got an unexpected keyword argument 'stream_options'" }, ['stream_options']],
  [400, { message: 'Unknown: stream_options, parallel_tool_calls' }, ['stream_options', 'parallel_tool_calls']],
  [
    400,
    { error: { message: "'max_tokens' is not supported. Use 'max_completion_tokens' instead.", param: 'max_tokens' } },
    ['max_tokens'],
  ],
  [422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'max_tokens'], msg: 'No.' }] }, ['max_tokens']],
  [400, { error: { message: 'Unrecognized request argument supplied: max_tokens' } }, ['max_tokens']],
  [400, { error: { message: 'max_tokens is too large: 5', param: 'max_tokens' } }, []],
  [400, { error: { message: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]' } }, []],
  [400, { message: 'max_tokens: 5 > 4, which is the maximum allowed number of output tokens' }, []],
  [400, { error: { message: '`max_tokens` must be set when thinking is on', param: 'max_tokens' } }, []],
  [500, { error: 'Failed with max_tokens=5' }, []],
  [400, { error: { message: 'No seeds.', param: 'seed' } }, []],
  [429, { error: { message: 'stream_options' } }, []],
])('finds in a %i %j the fields %j', (status, error, fields) => {
  expect(refusedFields(status, detailOf(error), BODY, NONE)).toEqual(fields);
});

it('finds no field twice, nor one under the name that was refused first', () => {
  const detail = { message: 'Unknown: stream_options, max_tokens' };
  expect(refusedFields(400, detail, BODY, new Set(['stream_options', 'max_completion_tokens']))).toEqual([]);
});

it('leaves fields out or renames them, and the others as they are', () => {
  expect(withoutRefused(BODY, new Set(['stream_options', 'max_tokens']))).toEqual({
    ...{ model: 'm', parallel_tool_calls: false, max_completion_tokens: 5, seed: 1 },
  });
  expect(withoutRefused(BODY, NONE)).toBe(BODY);
});
