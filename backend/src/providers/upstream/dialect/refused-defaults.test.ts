import { AdaptationMemory } from '../adaptation-memory.js';
import { RequestAdapter } from '../request-adapter.js';
import { failureOfResponse } from '../upstream-failure.js';
import { MODEL, says } from '../../../../test/providers/refused-requests.js';

const BODY: Record<string, unknown> = {
  model: MODEL,
  temperature: 0.2,
  top_p: 0.9,
  presence_penalty: 1,
  top_k: 5,
  max_tokens: 9_000,
};
const DEFAULTS = ['temperature', 'top_p', 'presence_penalty', 'top_k', 'max_tokens'];

const without = (...names: string[]): object =>
  Object.fromEntries(Object.entries(BODY).filter(([name]) => !names.includes(name)));

function adapted(
  error: unknown,
  { status = 400, defaults = DEFAULTS, body = BODY, memory = new AdaptationMemory() } = {},
) {
  const adapter = new RequestAdapter({ ...body }, MODEL, memory, defaults);
  const refuse = (again: unknown): boolean => adapter.adaptTo(failureOfResponse(status, {}, JSON.stringify(again)));
  return { adapter, refuse, isRepeated: refuse(error), memory };
}

it.each([
  [
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    ['temperature'],
  ],
  ["Unsupported parameter: 'top_p' is not supported with this model.", ['top_p']],
  ['`temperature` is deprecated for this model.', ['temperature']],
  ['this model has beta-limitations, temperature, top_p and n are fixed at 1', ['temperature', 'top_p']],
  ['invalid temperature: only 1 is allowed for this model', ['temperature']],
  ['Model grok-4 does not support parameter presencePenalty.', ['presence_penalty']],
  ['Penalty is not enabled for this model', ['presence_penalty']],
  ['Invalid JSON payload received. Unknown name "top_k": Cannot find field.', ['top_k']],
  ["property 'top_k' is unsupported", ['top_k']],
  ['temperature and top_p cannot both be specified for this model. Please use only one.', ['top_p']],
  ['max_tokens is too large: 9000. This model supports at most 4096 completion tokens.', ['max_tokens']],
  ['max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens', ['max_tokens']],
])('a default that a server refuses is left out: %s', (message, left) => {
  const { adapter, isRepeated, memory } = adapted(says(message));
  expect([isRepeated, adapter.body]).toEqual([true, without(...left)]);
  adapter.remember();
  expect([...memory.learntFor(MODEL)]).toEqual(left.map((name) => `${name}=${String(BODY[name])}`));
});

it.each([
  [422, { detail: [{ type: 'extra_forbidden', loc: ['body', 'top_k'], msg: 'Extra inputs are not permitted' }] }],
  [500, { error: "create() got an unexpected keyword argument 'top_k'" }],
  [400, says('No.', 'top_k')],
])('by %i %j', (status, error) => {
  expect(adapted(error, { status }).adapter.body).toEqual(without('top_k'));
});

it('a parameter of the asker stays, and the default beside it goes', () => {
  const error = says('temperature and top_p cannot both be specified for this model.');
  expect(adapted(error, { defaults: ['temperature'] }).adapter.body).toEqual(without('temperature'));
  const { adapter, isRepeated } = adapted(says('temperature is not supported'), { defaults: [] });
  expect([isRepeated, adapter.body]).toEqual([false, BODY]);
});

it('one after the other is left out', () => {
  const { adapter, refuse } = adapted(says('temperature and top_p cannot both be specified for this model.'));
  expect(refuse(says('temperature is deprecated for this model.'))).toBe(true);
  expect(adapter.body).toEqual(without('temperature', 'top_p'));
  expect(refuse(says('presence_penalty is not supported'))).toBe(true);
});

it('the limit is renamed first, and left out when its other name is refused too', () => {
  const { adapter, refuse } = adapted(
    says("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
  );
  expect(adapter.body).toEqual({ ...without('max_tokens'), max_completion_tokens: 9_000 });
  expect(refuse(says('Unknown field max_completion_tokens'))).toBe(true);
  expect(adapter.body).toEqual(without('max_tokens'));
});

it('the limit is left out where the prompt leaves no room for it, which is not remembered', () => {
  const message =
    "'max_tokens' is too large: 9000. This model's maximum context length is 8192 tokens and your request has 1000 input tokens";
  const { adapter, isRepeated, memory } = adapted(says(message));
  expect([isRepeated, adapter.body]).toEqual([true, without('max_tokens')]);
  adapter.remember();
  expect([...memory.learntFor(MODEL)]).toEqual([]);
});

it('all of them are left out after a refusal that names none, which is not remembered', () => {
  const { adapter, isRepeated, refuse, memory } = adapted(says('invalid params'));
  expect([isRepeated, adapter.body]).toEqual([true, { model: MODEL }]);
  expect(refuse(says('invalid params'))).toBe(false);
  adapter.remember();
  expect([...memory.learntFor(MODEL)]).toEqual([]);
});

it.each([
  { message: "The response was filtered by Azure OpenAI's content management policy.", code: 'content_filter' },
  { message: 'Your request was rejected as a result of our safety system.' },
])('a request that moderation refuses is not repeated: %j', (error) => {
  expect(adapted({ error }).isRepeated).toBe(false);
});

it.each([
  [500, 'EngineDeadError: SamplingParams(temperature=0.2, top_p=0.9)', []],
  [500, "create() got an unexpected keyword argument 'temperature'", ['temperature=0.2']],
  [400, "'temperature' is deprecated", ['temperature=0.2']],
])('a failure that may pass says nothing of the next request: %i %s', (status, message, learnt) => {
  const { adapter, isRepeated, memory } = adapted(says(message), { status, defaults: ['temperature', 'top_p'] });
  adapter.remember();
  expect([isRepeated, [...memory.learntFor(MODEL)]]).toEqual([true, learnt]);
});

it('another value is tried again', () => {
  const memory = new AdaptationMemory();
  adapted(says('temperature is not supported'), { memory }).adapter.remember();
  const next = (temperature: number): object =>
    new RequestAdapter({ temperature }, MODEL, memory, ['temperature']).body;
  expect([next(0.2), next(1)]).toEqual([{}, { temperature: 1 }]);
  // The same value of the asker stays.
  expect(new RequestAdapter({ temperature: 0.2 }, MODEL, memory).body).toEqual({ temperature: 0.2 });
});

it('the last values of a default are remembered', () => {
  const memory = new AdaptationMemory();
  for (let seed = 1; seed <= 200; seed += 1)
    adapted(says('seed is not supported'), { body: { seed }, defaults: ['seed'], memory }).adapter.remember();
  const known = [...memory.learntFor(MODEL)];
  expect([known.length, known.at(-1)]).toEqual([50, 'seed=200']);
});

it.each([
  ['"llama3.1:8b" does not support thinking', true],
  ['think value "medium" is not supported for this model', true],
  ['Thinking mode does not support this tool_choice', false],
])('an effort that its asker can do without is left out in the words of Ollama: %s', (message, isLeftOut) => {
  const body = { reasoning_effort: 'medium' };
  const { adapter, isRepeated } = adapted(says(message), { body, defaults: ['reasoning_effort'] });
  expect([isRepeated, adapter.body]).toEqual([isLeftOut, isLeftOut ? {} : body]);
  expect(adapted(says(message), { body, defaults: [] }).isRepeated).toBe(false);
});

it('the effort of a call of the site itself is left out under either name', () => {
  for (const body of [{ reasoning_effort: 'minimal' }, { reasoning: { effort: 'minimal' } }]) {
    const error = says("Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.");
    const { adapter, memory } = adapted(error, { body, defaults: ['max_tokens', 'reasoning_effort'] });
    adapter.remember();
    expect([adapter.body, [...memory.learntFor(MODEL)]]).toEqual([{}, ['reasoning_effort="minimal"']]);
  }
});
