import { API_LIMITS, type ChatCompletionRequest, type ReasoningEffort, REASONING_EFFORTS } from '@tanya/contract';
import { presentFields } from '../../platform/http/present-fields.js';
import { type Fields, isFields } from '../../platform/json/fields.js';
import { effortOfBudget } from '../answers/chat-parameters.js';
import { isEmptyList, refuseFields } from '../json-fields.js';

/** See `refuseFields`. */
const UNSUPPORTED_IN_COMPLETIONS: Record<string, (value: unknown) => boolean> = {
  functions: isEmptyList,
  function_call: (value) => value === 'none',
  prediction: () => false,
  web_search_options: () => false,
  audio: () => false,
  modalities: (value) => Array.isArray(value) && value.length === 1 && value[0] === 'text',
  // Of vLLM, Qwen, xAI, Cohere and Ollama, and what belongs to the field beside it.
  best_of: (value) => value === 1,
  use_beam_search: (value) => value === false,
  enable_search: (value) => value === false,
  search_parameters: (value) => isFields(value) && value['mode'] === 'off',
  documents: isEmptyList,
  format: (value) => value === '',
  extra_body: (value) => isFields(value) && Object.keys(value).length === 0,
};

/** @throws AppError `invalid` naming the field */
export const refuseForCompletions = (body: Fields): void => refuseFields(body, UNSUPPORTED_IN_COMPLETIONS);

/** A body with the settings that clients of Responses and of messages name otherwise. Those of chat completions count first. */
export function withChatNames(body: Fields): Fields {
  const { max_output_tokens: limit, stop_sequences: stops } = body;
  const hasLimit = [body['max_completion_tokens'], body['max_tokens']].some((own) => own != null && own !== -1);
  return {
    ...body,
    ...(limit != null && !hasLimit && { max_completion_tokens: limit }),
    ...(stops != null && body['stop'] == null && { stop: stops }),
  };
}

/** The text of a block, as messages have it, or a text alone. */
const textIn = (block: unknown): unknown => (isFields(block) ? block['text'] : block);

/** What clients of those APIs tell the model beside its messages: a text, or blocks of text. @returns undefined for nothing */
export function instructionsIn({ instructions, system }: Fields): string | undefined {
  const given = instructions || system;
  return (
    (Array.isArray(given) ? given : [given])
      .map(textIn)
      .filter((text) => typeof text === 'string' && text !== '')
      .join('\n\n')
      .toWellFormed() || undefined
  );
}

/** A body whose form of an answer has its schema where chat completions have it: clients of Responses have it beside the type. */
export function withNestedSchema(body: Fields): Fields {
  const { response_format: format } = body;
  if (!isFields(format) || format['type'] !== 'json_schema' || !isFields(format['schema'])) return body;
  const { type, name = 'answer', description, schema, strict, json_schema: own } = format;
  const form = isFields(own) ? { schema, ...own } : presentFields({ name, description, schema, strict });
  return { ...body, response_format: { type, json_schema: form } };
}

const OF_SWITCH = new Map<unknown, ReasoningEffort>([
  [true, 'medium'],
  [false, 'none'],
]);

/** The effort that clients of OpenRouter name in an object, and those of Ollama as `think`. One that is not known says nothing. */
function effortIn({ reasoning, think }: Fields): ReasoningEffort | undefined {
  // llama.cpp has the switch alone.
  const { effort, max_tokens: budget, enabled } = isFields(reasoning) ? reasoning : { enabled: reasoning };
  const named = REASONING_EFFORTS.find((each) => each === effort || each === think);
  if (named !== undefined) return named;
  if (typeof budget === 'number' && enabled !== false) return effortOfBudget(budget);
  return OF_SWITCH.get(enabled) ?? OF_SWITCH.get(think);
}

/** The effort of a body in the words of other servers, where the request has none of its own. */
export const effortInOtherWords = (
  { reasoning_effort: own }: ChatCompletionRequest,
  body: Fields,
): ReasoningEffort | undefined => (own === undefined ? effortIn(body) : undefined);

/** A body with its tools, and the calls of its messages, in the form of chat completions. */
export const withChatTools = (body: Fields): Fields => withCalls(withFunctionTools(body));

const isFunctionType = (type: unknown): boolean => type === undefined || type === null || type === 'function';

/** Choices in the words of other APIs: those of Mistral and Anthropic. */
const CHAT_MODES: Readonly<Record<string, string>> = {
  auto: 'auto',
  none: 'none',
  any: 'required',
  required: 'required',
};

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
  if (!isFields(choice)) return CHAT_MODES[String(choice)];
  const { type, name, function: called } = choice;
  if ((type === 'function' || type === 'tool') && typeof name === 'string' && called === undefined)
    return { type: 'function', function: { name } };
  return typeof type === 'string' && Object.hasOwn(CHAT_MODES, type) ? CHAT_MODES[type] : choice;
}

/**
 * A body whose calls and results are in the form of chat completions. Cursor sends those of a model with `claude` in its name
 * as blocks of Anthropic's messages.
 */
function withCalls(body: Fields): Fields {
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length > API_LIMITS.messages) return body;
  return { ...body, messages: messages.flatMap(withoutCallBlocks) };
}

const isOf =
  (type: string) =>
  (part: unknown): part is Fields =>
    isFields(part) && part['type'] === type;

const isCall = isOf('tool_use');
const isResult = isOf('tool_result');

function withoutCallBlocks(message: unknown): unknown[] {
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
