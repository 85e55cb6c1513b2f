import { AdaptationMemory } from '../../src/providers/upstream/adaptation-memory.js';
import { RequestAdapter } from '../../src/providers/upstream/request-adapter.js';
import { failureOfResponse } from '../../src/providers/upstream/upstream-failure.js';

/** The model of the requests here. */
export const MODEL = 'm';

export type Message = Record<string, unknown>;

/** The adapter of a body after one refusal, with its memory, and whether the request is repeated. */
export function refused(
  body: object,
  status: number,
  error: unknown,
): { adapter: RequestAdapter; isRepeated: boolean; memory: AdaptationMemory } {
  const memory = new AdaptationMemory();
  const adapter = new RequestAdapter({ ...body }, MODEL, memory);
  const failure = failureOfResponse(status, {}, JSON.stringify(error));
  return { adapter, memory, isRepeated: adapter.adaptTo(failure) };
}

export const says = (message: string, param?: string): object => ({ error: { message, param } });
export const system = (content: unknown): Message => ({ role: 'system', content });
export const user = (content: unknown): Message => ({ role: 'user', content });
export const answer = (content: unknown, more: Message = {}): Message => ({ role: 'assistant', content, ...more });
export const CALL = { tool_calls: [{ id: 'c', type: 'function', function: { name: 'add', arguments: '{}' } }] };
export const RESULT = { role: 'tool', tool_call_id: 'c', content: '2' };
export const picture = { type: 'image_url', image_url: { url: 'data:,' } };

export const sentAfter = (messages: Message[], message: string, status = 400): unknown =>
  refused({ messages }, status, says(message)).adapter.body['messages'];
