import { API_LIMITS } from '@tanya/contract';
import { type Fields, isFields } from '../../platform/json/fields.js';

/** A body with its tools, and the calls of its messages, in the form of chat completions. */
export const withChatTools = (body: Fields): Fields => withCalls(withFunctionTools(body));

const isFunctionType = (type: unknown): boolean => type === undefined || type === null || type === 'function';

/** Choices in the words of other APIs: those of Mistral and Anthropic. */
const MODES: Readonly<Record<string, string>> = { auto: 'auto', none: 'none', any: 'required', required: 'required' };

/**
 * A body with its functions, and the choice of one, in the form of chat completions. Cursor and some gateways send those of
 * Responses, whose fields stand beside the type, or of Anthropic's messages.
 */
function withFunctionTools(body: Fields): Fields {
  const { tools, tool_choice: choice } = body;
  const isList = Array.isArray(tools) && tools.length <= API_LIMITS.tools;
  return {
    ...body,
    ...(isList && { tools: tools.map(toFunctionTool) }),
    ...((isFields(choice) || choice === 'any') && { tool_choice: toChoice(choice) }),
  };
}

function toFunctionTool(tool: unknown): unknown {
  if (!isFields(tool) || 'custom' in tool) return tool;
  const { type, function: called, name, description, parameters, input_schema: schema, strict } = tool;
  if (isFields(called)) return type === undefined ? { ...tool, type: 'function' } : tool;
  if (typeof name !== 'string' || !(isFunctionType(type) || isFields(schema))) return tool;
  return { type: 'function', function: { name, description, parameters: parameters ?? schema, strict } };
}

function toChoice(choice: unknown): unknown {
  if (!isFields(choice)) return MODES[String(choice)];
  const { type, name, function: called } = choice;
  if ((type === 'function' || type === 'tool') && typeof name === 'string' && called === undefined)
    return { type: 'function', function: { name } };
  return typeof type === 'string' && Object.hasOwn(MODES, type) ? MODES[type] : choice;
}

/**
 * A body whose calls and results are in the form of chat completions. Cursor sends those of a model with `claude` in its name
 * as blocks of Anthropic's messages.
 */
function withCalls(body: Fields): Fields {
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
