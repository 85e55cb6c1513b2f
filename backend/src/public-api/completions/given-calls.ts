import { API_LIMITS } from '@tanya/contract';
import { type Fields, isFields } from '../../platform/json/fields.js';

/**
 * A body whose calls and results are in the form of chat completions. Cursor sends those of a model with `claude` in its name
 * as blocks of Anthropic's messages.
 */
export function withCalls(body: Fields): Fields {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length > API_LIMITS.messages) return body;
  return { ...body, messages: messages.flatMap(toChatMessages) };
}

const isOf =
  (type: string) =>
  (part: unknown): part is Fields =>
    isFields(part) && part['type'] === type;

const isCall = isOf('tool_use');
const isResult = isOf('tool_result');

function toChatMessages(message: unknown): unknown[] {
  if (!isFields(message) || !Array.isArray(message['content'])) return [message];
  const { role } = message;
  const parts = message['content'] as unknown[];
  if (role === 'assistant' && parts.some(isCall)) {
    const rest = parts.filter((part) => !isCall(part));
    const calls = message['tool_calls'] ?? parts.filter(isCall).map(toCall);
    return [{ ...message, content: rest.length > 0 ? rest : null, tool_calls: calls }];
  }
  if (role !== 'user' || !parts.some(isResult)) return [message];
  const rest = parts.filter((part) => !isResult(part));
  // Results follow their calls at once.
  return [...parts.filter(isResult).map(toResult), ...(rest.length > 0 ? [{ ...message, content: rest }] : [])];
}

const toCall = ({ id, name, input }: Fields): object => ({
  id,
  type: 'function',
  function: { name, arguments: input },
});

function toResult({ tool_use_id: id, content, is_error: isError }: Fields): object {
  const given: unknown = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const isMarked = Array.isArray(given) && isError === true;
  const parts = isMarked ? [{ type: 'text', text: 'Error: ' }, ...(given as unknown[])] : given;
  return { role: 'tool', tool_call_id: id, content: parts };
}
