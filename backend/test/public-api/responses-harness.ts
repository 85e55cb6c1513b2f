import type { ResponseObject } from '@tanya/contract';
import type { OpenAI } from 'openai';
import type { ChatHarnessOptions } from '../harness/chat-harness.js';
import type { Answer } from '../harness/http-client.js';
import { WEATHER_SCHEMA } from './client-cases.js';
import { type Caller, MODEL, type PublicApiHarness, startPublicApiHarness } from './public-api-harness.js';

export const RESPONSES = '/api/v1/responses';

/** Tools of a program in the form of the Responses API. */
export const RESPONSE_TOOLS = [{ type: 'function', name: 'get_weather', parameters: WEATHER_SCHEMA }];

const ENDLESS = 'go on [[words=20000 pace=10]]';

/** A server with one caller of the Responses API, whose responses are swept often. */
export interface ResponsesHarness extends PublicApiHarness {
  respond(body: object, headers?: Record<string, string>): Promise<Answer<unknown>>;
  /** @throws unless the status is 200 */
  respondTo(body: object): Promise<ResponseObject>;
  /** Calls the path of a stored response, as the caller without a `key`. */
  read(method: string, path: string, key?: string): Promise<Answer<unknown>>;
  /** Reads a stream until an event and disconnects. @returns the id of the response and the last number */
  leave(body: object, enough: (seen: number) => boolean): Promise<{ id: string; last: number }>;
  /** The messages that the provider received last. */
  sentMessages(): unknown;
}

export async function startResponsesHarness(options: ChatHarnessOptions): Promise<ResponsesHarness> {
  const timings = { logRetention: 5_000, logFlush: 50, responseSweep: 1_000 };
  const harness = await startPublicApiHarness({ ...options, timings });
  const caller: Caller = await harness.caller({ isPremium: true });
  const respond: ResponsesHarness['respond'] = (body, headers = {}) =>
    harness.post(caller.key, { model: MODEL, ...body }, headers, RESPONSES);
  return {
    ...harness,
    respond,
    respondTo: async (body) => {
      const answer = await respond(body);
      if (answer.status !== 200) throw new Error(`no response: ${answer.text}`);
      return answer.body as ResponseObject;
    },
    read: (method, path, key = caller.key) =>
      harness.client().send<unknown>(method, `${RESPONSES}/${path}`, { headers: { Authorization: `Bearer ${key}` } }),
    leave: async (body, enough) => {
      const stream = await caller.openai.responses.create({ model: MODEL, input: ENDLESS, stream: true, ...body });
      let id = '';
      let last = 0;
      for await (const event of stream) {
        if (event.type === 'response.created') id = event.response.id;
        last = event.sequence_number;
        if (enough(last)) break;
      }
      return { id, last };
    },
    sentMessages: () => harness.upstream.callsOf().at(-1)!.body['messages'],
  };
}

/** The events of a streamed response, without comments; each has its name. */
export const eventsOf = (text: string): OpenAI.Responses.ResponseStreamEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [name, data] = block.split('\n');
      const event = JSON.parse(data!.slice('data: '.length)) as OpenAI.Responses.ResponseStreamEvent;
      expect(name).toBe(`event: ${event.type}`);
      return event;
    });
