import type { Step } from '../harness/scripted-answers.js';

/** The model and the questions of the suites that run unmodified clients. */
export const EMBEDDING_MODEL = 'text-embedding-3-small';

export const WEATHER_SCHEMA = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
  additionalProperties: false,
};

export const CITY_SCHEMA = {
  type: 'object' as const,
  properties: { name: { type: 'string' as const }, people: { type: 'number' as const } },
  required: ['name', 'people'],
  additionalProperties: false,
};

export const CITY = { name: 'Jakarta', people: 11_000_000 };

const usage: Step = { usage: { prompt: 3, completion: 5 } };

/** An answer that calls `get_weather` for Jakarta, in pieces. */
export const WEATHER_CALL: Step[] = [
  { call: { index: 0, id: 'call_weather', name: 'get_weather', args: '' } },
  { call: { index: 0, args: '{"city":' } },
  { call: { index: 0, args: '"Jakarta"}' } },
  { finish: 'tool_calls' },
  usage,
  { done: true },
];

/** An answer of the form of `CITY_SCHEMA`. */
export const CITY_ANSWER: Step[] = [{ text: JSON.stringify(CITY) }, { finish: 'stop' }, usage, { done: true }];

export const textAnswer = (text: string): Step[] => [
  ...text.split(/(?<= )/).map((word): Step => ({ text: word })),
  { finish: 'stop' },
  usage,
  { done: true },
];
